import type { BrowserContext, ElementHandle, Locator, Request, Route } from 'playwright-core';
import { stack } from '../stack.js';
import type { WebApp } from './web-app.js';

const { api_url, forge_url } = stack();

/** After which a person is out of the tunnel again, if the page has nothing to say about it. */
const LONGEST_MS = 20_000;

/** The problems of a lost network. Any other one fails the test. */
const SAYS = /There was no answer|The upload was interrupted/;

/** A network that is lost at one call of a journey, and comes back once the page has said so. */
export class Tunnel {
  /** Calls since the beginning. */
  seen = 0;
  #at = Infinity;
  #isInside = false;

  static async before(context: BrowserContext): Promise<Tunnel> {
    const tunnel = new Tunnel();
    await context.route(
      (url) => url.origin === new URL(forge_url).origin || url.href.startsWith(`${api_url}/v1/`),
      (route) => tunnel.#pass(route),
    );
    return tunnel;
  }

  /** @param at the number of the call at which it is lost; calls are counted from now */
  begin(at: number): void {
    [this.seen, this.#at] = [0, at];
  }

  leave(): void {
    this.#isInside = false;
  }

  async #pass(route: Route): Promise<void> {
    if (!isPreflight(route.request())) this.seen += 1;
    if (this.seen === this.#at) this.#enter();
    await (this.#isInside ? route.abort('internetdisconnected') : route.fallback());
  }

  #enter(): void {
    this.#at = Infinity;
    this.#isInside = true;
    setTimeout(() => this.leave(), LONGEST_MS).unref();
  }
}

const isPreflight = (request: Request) => request.method() === 'OPTIONS';

/** Somebody who reads what the page says, and tries again. */
export class Patient {
  constructor(
    readonly app: WebApp,
    private readonly tunnel: Tunnel,
  ) {}

  /** Acts until the page shows the goal, again whenever the page says that the network was lost. */
  async step(act: () => Promise<void>, goal: Locator): Promise<void> {
    await act();
    for (;;) {
      await goal.or(this.#problems).first().waitFor();
      if (await goal.first().isVisible()) return;
      this.tunnel.leave();
      await this.#tryAgain(act, goal);
    }
  }

  /** Problems that the person can answer: those of an open dialog, behind which the page is inert. */
  get #problems(): Locator {
    const inFront = this.app.page.locator('dialog *, body:not(:has(dialog)) *');
    return this.app.page.getByRole('alert').filter({ hasText: SAYS }).and(inFront);
  }

  /** Presses the button beside the problem, if there is one, and waits until the page takes the problem away. */
  async #tryAgain(act: () => Promise<void>, goal: Locator): Promise<void> {
    const problem = this.#problems.first();
    const said = await problem.elementHandle();
    const [again] = await problem.getByRole('button', { name: 'Try again' }).elementHandles();
    await (again ? pressUnlessGone(again) : act());
    await Promise.any([said?.waitForElementState('hidden'), goal.first().waitFor()]);
  }
}

/** The page reads again by itself once there is a network, and takes the button away. */
async function pressUnlessGone(button: ElementHandle): Promise<void> {
  await button.click().catch(async (error: unknown) => {
    if (await button.isVisible()) throw error;
  });
}
