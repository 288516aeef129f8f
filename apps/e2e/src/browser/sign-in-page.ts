import { randomBytes } from 'node:crypto';
import { eventually } from '@vaultsvc/testing/waiting';
import type { BrowserContext, Page, Response } from 'playwright-core';

/** An answer of the API as received by the page. */
export interface Answer {
  readonly path: string;
  readonly status: number;
  readonly text: string;
  readonly setCookie: string;
}

const ACCESS_TOKEN = /"access_token":"([^"]+)"/;

/** An address that has never signed in. */
export function newAddress(): string {
  return `ann-${randomBytes(6).toString('hex')}@example.com`;
}

/** The local sign-in page in one tab, with the answers that it received from the API. */
export class SignInPage {
  readonly errors: string[] = [];
  /** In the order of the answers, which is not that in which they have been read. */
  readonly #answers: Promise<Answer | undefined>[] = [];

  constructor(
    readonly page: Page,
    private readonly identityUrl: string,
    private readonly apiUrl: string,
  ) {
    page.on('response', (response) => void this.#answers.push(this.#read(response)));
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

  /** The answer; undefined for what is none of the API, and once the test has ended. */
  async #read(response: Response): Promise<Answer | undefined> {
    const { origin, pathname: path } = new URL(response.url());
    if (origin !== this.apiUrl || !path.startsWith('/v1/') || response.request().method() === 'OPTIONS')
      return undefined;
    const headers = await response.allHeaders().catch((error) => {
      if (this.page.isClosed()) return undefined;
      throw error;
    });
    // The body is unavailable while the page navigates away.
    const text = await response.text().catch(() => '');
    return headers && { path, status: response.status(), text, setCookie: headers['set-cookie'] ?? '' };
  }

  /** All answers of the API so far. */
  async allAnswers(): Promise<readonly Answer[]> {
    const answers = await Promise.all(this.#answers);
    return answers.filter((answer) => answer !== undefined);
  }

  /** Waits for a matching answer and returns all of them; the page may process an answer before the test receives it. */
  waitForAnswers(isMatch: (answer: Answer) => boolean): Promise<Answer[]> {
    return eventually(
      async () => (await this.allAnswers()).filter(isMatch),
      (answers) => answers.length > 0,
    );
  }

  async lastAccessToken(): Promise<string> {
    const answers = await this.waitForAnswers(({ text }) => ACCESS_TOKEN.test(text));
    return ACCESS_TOKEN.exec(answers.at(-1)?.text ?? '')?.[1] ?? '';
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

  /** Signs in at the provider and returns to the page. */
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

  /** Signs a new person up and waits for the signed-in page. */
  async signUp(email = newAddress()): Promise<string> {
    await this.signIn(email, 'Ann Ärmel');
    await this.nameOrganization('Ann’s Laundry');
    await this.waitUntilSignedIn();
    await this.waitForAnswers(({ path }) => path.endsWith('/complete-signup'));
    return email;
  }

  async waitUntilSignedIn(): Promise<void> {
    await this.heading('You are signed in').waitFor();
  }

  async waitUntilSignedOut(): Promise<void> {
    await this.button('Sign in').waitFor();
  }

  /** Clicks "Refresh now" and returns the status of the API's answer. */
  async refresh(): Promise<number> {
    const answered = this.waitForRefresh();
    await this.waitUntilIdle();
    // A real click would wait until a hidden tab is painted.
    await this.button('Refresh now').dispatchEvent('click');
    return answered;
  }

  /** Waits for the next refresh and returns its status. */
  async waitForRefresh(): Promise<number> {
    const answer = await this.page.waitForResponse(
      (response) =>
        response.url().endsWith('/v1/auth/refresh') &&
        response.request().method() === 'POST' &&
        response.status() !== 429, // the page retries it (ENV-36)
    );
    return answer.status();
  }

  /** Waits for the end of an action; the page ignores clicks during one. */
  async waitUntilIdle(): Promise<void> {
    await this.page.locator('main:not([aria-busy])').waitFor();
  }
}
