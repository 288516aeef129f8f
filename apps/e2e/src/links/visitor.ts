import type { Browser, BrowserContext, Page, Request, Route } from 'playwright-core';
import { closeContext, openContext } from '../browser/browser.js';

/** A scripted answer of the server: status and body, or no answer. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly body?: object;
  /** In place of the body. */
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `cut`: the connection is reset; `held`: the answer never arrives. */
  readonly no?: 'cut' | 'held';
}

/** Answers in their order; the last one is repeated. */
export type Script = Readonly<
  Partial<
    Record<
      'describe' | 'open' | 'start' | 'confirm' | 'passkey' | 'interact' | 'progress',
      readonly ScriptedAnswer[]
    >
  >
>;

/** A visitor of a link page with a separate browser context. */
export class Visitor {
  readonly errors: string[] = [];
  /** The paths and bodies of the page's POST requests. */
  readonly posts: { readonly path: string; readonly body: Record<string, unknown> }[] = [];
  readonly requests: string[] = [];

  #unscript: () => Promise<void> = async () => {};

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted/.test(message.text())) this.errors.push(message.text());
    });
    page.on('request', (request) => this.#note(request));
  }

  static async open(browser: Browser): Promise<Visitor> {
    const context = await openContext(browser, {
      viewport: { width: 1_280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    return new Visitor(context, await context.newPage());
  }

  #note(request: Request): void {
    this.requests.push(`${request.method()} ${request.url()}`);
    if (request.method() !== 'POST') return;
    const body = JSON.parse(request.postData() ?? '{}') as Record<string, unknown>;
    this.posts.push({ path: new URL(request.url()).pathname, body });
  }

  /** Answers the page's POST requests by a script; the page itself and its policy come from the server. */
  async script(script: Script): Promise<void> {
    const calls: Record<string, number> = {};
    const handler = async (route: Route) => {
      const name = nameOf(route.request());
      const answers = script[name] ?? [];
      const call = (calls[name] = (calls[name] ?? 0) + 1);
      await answer(route, answers[Math.min(call, answers.length) - 1] ?? { no: 'held' });
    };
    // The newest route has precedence, so the server itself never answers in between.
    await this.context.route(scripted, handler);
    await this.#unscript();
    this.#unscript = () => this.context.unroute(scripted, handler);
  }

  heading(name: string) {
    return this.page.getByRole('heading', { name, exact: true });
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name });
  }

  /** The last status message, which does not move the focus. */
  status() {
    return this.page.getByRole('status');
  }

  /** The text of the element that has the focus. */
  focused(): Promise<string> {
    return this.page.evaluate<string>('document.activeElement.textContent || document.activeElement.id');
  }

  async sees(heading: string): Promise<void> {
    await this.heading(heading).waitFor();
  }

  /** Presses the button that opens content, and waits for it. */
  async showOnce(heading = 'This was shared with you'): Promise<void> {
    await this.button('Show it once').click();
    await this.sees(heading);
  }

  /** Gives the page a clock that only `runFor` moves. */
  async stopClock(): Promise<void> {
    await this.page.clock.install();
    await this.page.clock.pauseAt(Date.now() + 3_600_000);
  }

  close(): Promise<void> {
    return closeContext(this.context);
  }
}

const scripted = /\/(open|verify\/(start|confirm)|passkey\/options|interact|progress)(\?|$)/;

function nameOf(request: Request): keyof Script {
  const { pathname } = new URL(request.url());
  if (pathname.endsWith('/progress')) return 'progress';
  if (pathname.endsWith('/start')) return 'start';
  if (pathname.endsWith('/confirm')) return 'confirm';
  if (pathname.endsWith('/passkey/options')) return 'passkey';
  if (pathname.endsWith('/interact')) return 'interact';
  return (request.postData() ?? '').includes('"describe":true') ? 'describe' : 'open';
}

async function answer(
  route: Route,
  { status = 200, body = {}, html, headers = {}, no }: ScriptedAnswer,
): Promise<void> {
  if (no === 'held') return;
  if (no === 'cut') return route.abort('connectionreset');
  const type = html === undefined ? 'application/json' : 'text/html';
  await route.fulfill({
    status,
    headers: { 'Access-Control-Allow-Origin': '*', 'Content-Type': type, ...headers },
    body: html ?? JSON.stringify(body),
  });
}
