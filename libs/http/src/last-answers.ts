import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { clearInterval, setInterval } from 'node:timers';

const CLOSE_CHECK_MS = 50;

/** Lets a server end as its callers would have it: no answer is cut, and none is promised another on its connection. */
export class LastAnswers {
  readonly #underWay = new Set<ServerResponse>();
  #isClosing = false;

  /** For a server that answers nothing yet. */
  constructor(private readonly server: Server) {
    const follow = (_: IncomingMessage, response: ServerResponse) => this.#follow(response);
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      server.prependListener(event, follow);
  }

  /**
   * Takes no new connections, and resolves after the last answer. Each ends its connection: a caller, or a proxy, that
   * sends one request after the other would otherwise keep this process for ever. Idle connections are closed.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const response of this.#underWay) response.shouldKeepAlive = false;
    if (!this.server.listening) return;
    const idle = setInterval(() => this.server.closeIdleConnections(), CLOSE_CHECK_MS);
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    clearInterval(idle);
  }

  #follow(response: ServerResponse): void {
    if (this.#isClosing) response.shouldKeepAlive = false;
    this.#underWay.add(response);
    response.once('close', () => this.#underWay.delete(response));
  }
}
