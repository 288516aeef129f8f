import { createServer, type RequestListener, type Server } from 'node:http';
import { clearInterval, setInterval } from 'node:timers';
import { ExpressAdapter } from '@nestjs/platform-express';
import { answerParserErrors } from '@vaultsvc/http';
import type { Front } from './front.js';

/**
 * security.md 8. A whole request may take as long as its bytes do: a chunk of 50 MiB through a slow line is no attack.
 * Who is too slow is decided by rate, where the bytes are read.
 */
const serverOptions = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  highWaterMark: 256 * 1_024,
  requireHostHeader: false, // ours answers in the envelope
};
const CLOSE_CHECK_MS = 50;

/** What is used of Express. */
interface ExpressApp {
  readonly router: object;
  set(setting: string, value: unknown): void;
}

/** Nest's Express behind our front, over a server that is made for transfers. */
export class ForgeAdapter extends ExpressAdapter {
  #front: Front | undefined;

  constructor(private readonly apiVersion: string) {
    super();
  }

  /** From now on requests are answered; Nest makes the server before its providers exist. */
  serve(front: Front): void {
    this.#front = front;
  }

  override initHttpServer(): void {
    const app = this.getInstance<RequestListener & ExpressApp>();
    for (const setting of ['x-powered-by', 'etag']) app.set(setting, false);
    // OPEN-55. Nest has made the router by now, so the settings of the same names would come too late.
    Object.assign(app.router, { caseSensitive: true, strict: true });
    const handle: RequestListener = (request, response) => this.#front?.handle(request, response, app);
    const server = createServer(serverOptions, handle);
    server.maxHeadersCount = 0; // Node would drop what is over its count in silence; the front refuses it
    // Without these Node would ask for the bytes before the credential is looked at, and send a bare 417.
    server.on('checkContinue', handle).on('checkExpectation', handle);
    answerParserErrors(server, this.apiVersion);
    this.setHttpServer(server);
  }

  /** Takes no new connections and waits for the transfers under way; connections are closed as they fall idle. */
  override async close(): Promise<undefined> {
    const server = this.getHttpServer() as Server;
    if (!server.listening) return;
    await new Promise<void>((resolve) => {
      const idle = setInterval(() => server.closeIdleConnections(), CLOSE_CHECK_MS);
      server.close(() => {
        clearInterval(idle);
        resolve();
      });
    });
  }
}
