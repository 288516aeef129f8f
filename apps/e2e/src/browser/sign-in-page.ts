import { randomBytes } from 'node:crypto';
import { eventually } from '@vaultsvc/testing/waiting';
import type { BrowserContext, Page, Response } from 'playwright-core';

/** An answer of the API as the page got it. */
export interface Answer {
  readonly path: string;
  readonly status: number;
  readonly text: string;
  readonly setCookie: string;
}

const ACCESS_TOKEN = /"access_token":"([^"]+)"/;

/** Nobody has signed in with this address before. */
export function newAddress(): string {
  return `ann-${randomBytes(6).toString('hex')}@example.com`;
}

/** The local sign-in page in one tab, and what the API answered to it. */
export class SignInPage {
  readonly answers: Answer[] = [];
  readonly errors: string[] = [];
  readonly #readings: Promise<void>[] = [];

  constructor(
    readonly page: Page,
    private readonly identityUrl: string,
    private readonly apiUrl: string,
  ) {
    page.on('response', (response) => void this.#readings.push(this.#note(response)));
    page.on('pageerror', (error) => this.errors.push(error.message));
  }

  static async openIn(context: BrowserContext, stack: { identity_url: string; api_url: string }) {
    const tab = new SignInPage(await context.newPage(), stack.identity_url, stack.api_url);
    await tab.open();
    return tab;
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.identityUrl}/signin`);
  }

  async #note(response: Response): Promise<void> {
    const { origin, pathname: path } = new URL(response.url());
    if (origin !== this.apiUrl || !path.startsWith('/v1/') || response.request().method() === 'OPTIONS')
      return;
    const { 'set-cookie': setCookie = '' } = await response.allHeaders();
    // The page is leaving when it cannot be read any more.
    const text = await response.text().catch(() => '');
    this.answers.push({ path, status: response.status(), text, setCookie });
  }

  /** Every answer of the API so far. */
  async heard(): Promise<readonly Answer[]> {
    await Promise.all(this.#readings);
    return this.answers;
  }

  /** Those that are like this, one at the least: we may hear of an answer later than the page has acted on it. */
  heardOf(isOne: (answer: Answer) => boolean): Promise<Answer[]> {
    return eventually(
      async () => (await this.heard()).filter(isOne),
      (answers) => answers.length > 0,
    );
  }

  async lastAccessToken(): Promise<string> {
    const held = await this.heardOf(({ text }) => ACCESS_TOKEN.test(text));
    return ACCESS_TOKEN.exec(held.at(-1)?.text ?? '')?.[1] ?? '';
  }

  heading(text: string) {
    return this.page.getByRole('heading', { name: text });
  }

  button(name: string) {
    return this.page.getByRole('button', { name });
  }

  async field(name: 'name' | 'email' | 'role' | 'organization'): Promise<string> {
    return (await this.page.locator(`[data-field=${name}]`).textContent()) ?? '';
  }

  /** From the page to the provider and back. */
  async signIn(email: string, name = ''): Promise<void> {
    await this.button('Sign in').click();
    await this.page.getByLabel('E-mail address').fill(email);
    await this.page.getByLabel('Name').fill(name);
    await this.button('Continue').click();
  }

  async nameOrganization(name: string): Promise<void> {
    await this.page.getByLabel('Organization').fill(name);
    await this.button('Create organization').click();
  }

  /** Signs a new person up; the page shows them signed in. */
  async signUp(email = newAddress()): Promise<string> {
    await this.signIn(email, 'Ann Ärmel');
    await this.nameOrganization('Ann’s Laundry');
    await this.isSignedIn();
    return email;
  }

  async isSignedIn(): Promise<void> {
    await this.heading('You are signed in').waitFor();
  }

  async isSignedOut(): Promise<void> {
    await this.button('Sign in').waitFor();
  }

  /** Presses "Refresh now" and gives the API's answer. */
  async refresh(): Promise<number> {
    const answered = this.isRefreshed();
    await this.isIdle();
    // A real click would first wait for a hidden tab to be painted.
    await this.button('Refresh now').dispatchEvent('click');
    return answered;
  }

  /** What the API answers to the next renewal, which is asked for later. */
  async isRefreshed(): Promise<number> {
    const answer = await this.page.waitForResponse(
      (response) =>
        response.url().endsWith('/v1/auth/refresh') &&
        response.request().method() === 'POST' &&
        response.status() !== 429, // the page asks again (ENV-36)
    );
    return answer.status();
  }

  /** A page that is still busy takes no click. */
  async isIdle(): Promise<void> {
    await this.page.locator('main:not([aria-busy])').waitFor();
  }
}
