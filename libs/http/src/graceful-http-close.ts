import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { clearInterval, setInterval } from 'node:timers';

const IDLE_CHECK_MS = 50;

/** Closes a server after its pending responses, each of which announces `Connection: close`. */
export class GracefulHttpClose {
  readonly #pending = new Set<ServerResponse>();
  #isClosing = false;

  /** Must be created before the server receives its first request. */
  constructor(private readonly server: Server) {
    const track = (_: IncomingMessage, response: ServerResponse) => this.#track(response);
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      server.prependListener(event, track);
  }

  /**
   * Stops accepting connections and resolves after the last pending response. A keep-alive connection would keep the
   * process running for ever, so each response ends its connection, and idle connections are closed.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const response of this.#pending) response.shouldKeepAlive = false;
    if (!this.server.listening) return;
    const idle = setInterval(() => this.server.closeIdleConnections(), IDLE_CHECK_MS);
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    clearInterval(idle);
  }

  #track(response: ServerResponse): void {
    if (this.#isClosing) response.shouldKeepAlive = false;
    this.#pending.add(response);
    response.once('close', () => this.#pending.delete(response));
  }
}
