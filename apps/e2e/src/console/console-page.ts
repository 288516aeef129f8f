import type { BrowserContext, Page } from 'playwright-core';
import { stack } from '../stack.js';

/** The local stack is reached over loopback, where Chromium accepts Secure cookies. */
const { api_url } = stack();

/** The usage page of the console in one tab, with the errors that it caused. */
export class ConsolePage {
  readonly errors: string[] = [];

  private constructor(readonly page: Page) {
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => {
      // Chromium reports each 401 as an error, also that of the refresh by which the page finds that nobody is signed in.
      const isRefusedRefresh = message.location().url.endsWith('/v1/auth/refresh');
      if (message.type() === 'error' && !isRefusedRefresh) this.errors.push(message.text());
    });
  }

  static async openIn(context: BrowserContext, query = ''): Promise<ConsolePage> {
    const opened = new ConsolePage(await context.newPage());
    await opened.page.goto(`${api_url}/console/usage${query}`);
    return opened;
  }

  heading(name: string | RegExp) {
    return this.page.getByRole('heading', { name });
  }

  button(name: string) {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** A section by its heading. */
  section(name: string) {
    return this.page.getByRole('region', { name, exact: true });
  }

  /** Signs in at the provider and returns to the page. */
  async signIn(email: string): Promise<void> {
    await this.button('Sign in').click();
    await this.page.getByLabel('E-mail address').fill(email);
    await this.button('Continue').click();
  }

  /** Waits until all panels have loaded. */
  async waitUntilLoaded(): Promise<void> {
    await this.heading(/^Usage of /).waitFor();
    await this.page.getByText(/^As of /).waitFor();
  }

  /** Clicks Refresh until a section has an element with exactly this text: events are counted soon after their calls. */
  async refreshUntilVisible(text: string, section: string): Promise<void> {
    for (;;) {
      await this.page.locator('main:not(:has([aria-busy]))').waitFor();
      if ((await this.section(section).getByText(text, { exact: true }).count()) > 0) return;
      await this.refresh();
    }
  }

  /** Clicks Refresh, and waits until all panels have loaded again. */
  async refresh(): Promise<void> {
    await this.button('Refresh').click();
    await this.page.getByText('The page is up to date.').waitFor({ state: 'attached' });
  }
}
