import { randomBytes } from 'node:crypto';
import type { BrowserContext, Page, Response } from 'playwright-core';

/** An answer of the API as the page got it. */
export interface Answer {
  readonly path: string;
  readonly status: number;
  readonly text: string;
  readonly setCookie: string;
}

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

  async lastAccessToken(): Promise<string> {
    const texts = (await this.heard()).map(({ text }) => text);
    const token = texts.map((text) => /"access_token":"([^"]+)"/.exec(text)?.[1]).findLast(Boolean);
    if (!token) throw new Error('no answer held an access token');
    return token;
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
    const answered = this.page.waitForResponse(
      (response) => response.url().endsWith('/v1/auth/refresh') && response.request().method() === 'POST',
    );
    // A page that is still busy takes no click, and a real one would first wait for a hidden tab to be painted.
    await this.page.locator('main:not([aria-busy])').waitFor();
    await this.button('Refresh now').dispatchEvent('click');
    return (await answered).status();
  }
}
