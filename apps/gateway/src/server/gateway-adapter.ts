import { createServer, type RequestListener } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { answerParserErrors, LastAnswers } from '@vaultsvc/http';
import type { PublicListener } from './public-listener.js';

/** security.md 8: slow senders are cut off, and idle connections outlive the 60 s of a load balancer in front. */
const serverOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  requireHostHeader: false, // ours answers in the envelope
};

/** Nest's Express, with our listener ahead of it as the server's own. */
export class GatewayAdapter extends ExpressAdapter {
  #listener: PublicListener | undefined;
  #lastAnswers: LastAnswers | undefined;

  constructor(private readonly apiVersion: string) {
    super();
  }

  /** From now on requests are answered; Nest makes the server before its providers exist. */
  serve(listener: PublicListener): void {
    this.#listener = listener;
  }

  override initHttpServer(): void {
    const pages = this.getInstance<RequestListener & { disable(setting: string): void }>();
    pages.disable('x-powered-by');
    pages.disable('etag');
    const handle: RequestListener = (request, response) =>
      void this.#listener?.handle(request, response, pages);
    const server = createServer(serverOptions, handle);
    server.maxHeadersCount = 0; // Node would drop what is over its count in silence; the listener refuses it
    // A caller may close its side after the request and still read: what it asked for is already on its way.
    Object.assign(server, { httpAllowHalfOpen: true });
    // Without these Node would send "100 Continue" before the credential is looked at, and a bare 417.
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
