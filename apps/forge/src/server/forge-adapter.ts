import { createServer, type RequestListener } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { answerParserErrors, LastAnswers } from '@vaultsvc/http';
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

/** What is used of Express. */
interface ExpressApp {
  readonly router: object;
  set(setting: string, value: unknown): void;
}

/** Nest's Express behind our front, over a server that is made for transfers. */
export class ForgeAdapter extends ExpressAdapter {
  #front: Front | undefined;
  #lastAnswers: LastAnswers | undefined;

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
    // A caller may close its side after the request and still read: its ISTK may be spent already.
    Object.assign(server, { httpAllowHalfOpen: true });
    // Without these Node would ask for the bytes before the credential is looked at, and send a bare 417.
    server.on('checkContinue', handle).on('checkExpectation', handle);
    answerParserErrors(server, this.apiVersion);
    this.#lastAnswers = new LastAnswers(server);
    this.setHttpServer(server);
  }

  /** Takes no new connections and waits for what is under way. */
  override async close(): Promise<undefined> {
    await this.#lastAnswers?.close();
  }
}
