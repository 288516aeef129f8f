import type { RequestListener } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { createOriginServer, type LastAnswers } from '@vaultsvc/http';
import type { PublicListener } from './public-listener.js';

/** security.md 8: slow senders are cut off. */
const serverOptions = {
  requestTimeout: 30_000,
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
    const { server, lastAnswers } = createOriginServer(handle, this.apiVersion, serverOptions);
    this.#lastAnswers = lastAnswers;
    this.setHttpServer(server);
  }

  /** Takes no new connections and waits for what is under way. */
  override async close(): Promise<undefined> {
    await this.#lastAnswers?.close();
  }
}
