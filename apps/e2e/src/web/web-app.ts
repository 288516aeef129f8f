import type { BrowserContext, Page } from 'playwright-core';
import { stack } from '../stack.js';

const { api_url } = stack();

/** The web application in one tab, with what the browser has reported. */
export class WebApp {
  /** Errors of the page and violations of its policies. */
  readonly errors: string[] = [];
  /** URLs of all requests. */
  readonly requests: string[] = [];
  /** Presses and typed fields so far. */
  interactions = 0;

  private constructor(readonly page: Page) {
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('request', (request) => this.requests.push(request.url()));
    page.on('console', (message) => {
      // Chromium reports each refusal of the API as an error, also that by which the page finds that nobody is signed in.
      const { url } = message.location();
      const isRefusal = /\/v1\//.test(url);
      if (message.type() === 'error' && !isRefusal) this.errors.push(`${message.text()} ${url}`);
    });
  }

  static async openIn(context: BrowserContext, path = '/'): Promise<WebApp> {
    const app = new WebApp(await context.newPage());
    await app.page.goto(`${api_url}${path}`);
    return app;
  }

  heading(name: string | RegExp) {
    return this.page.getByRole('heading', { name });
  }

  button(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** A button of the open dialog; the page below may have one of the same name. */
  inDialog(name: string) {
    return this.page.getByRole('dialog').getByRole('button', { name, exact: true });
  }

  field(name: string) {
    return this.page.getByRole('textbox', { name, exact: true });
  }

  place(name: string) {
    return this.page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name, exact: true });
  }

  async press(name: string): Promise<void> {
    this.interactions += 1;
    await this.button(name).click();
  }

  /** Types into the field, which has the focus already. */
  async type(name: string, text: string): Promise<void> {
    this.interactions += 1;
    await this.field(name).and(this.page.locator(':focus')).waitFor();
    await this.page.keyboard.insertText(text);
  }

  /** Signs in at the local provider. */
  async signIn(email: string): Promise<void> {
    await this.press('Sign in');
    await signInAtProvider(this.page, email);
    this.interactions += 2;
  }

  /** A new person with an organization, in Send. */
  async signUp(email: string): Promise<void> {
    await this.signIn(email);
    await this.type('Organization', 'Ann’s Laundry');
    await this.press('Create organization');
    await this.field('Your secret').waitFor();
  }

  /** The text of the element that has the focus. */
  focused(): Promise<string> {
    return this.page.evaluate<string>('document.activeElement.textContent.trim()');
  }

  /** All that the browser keeps of the page, and shows of it to others. */
  kept(): Promise<string> {
    return this.page.evaluate<string>(
      'JSON.stringify([document.cookie, { ...sessionStorage }, { ...localStorage }, document.title, location.href, history.state])',
    );
  }
}

/** Answers the form of the local provider. */
export async function signInAtProvider(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
}
