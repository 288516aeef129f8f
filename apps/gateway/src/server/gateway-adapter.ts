import type { RequestListener } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { createOriginServer, type LastAnswers } from '@vaultsvc/http';
import type { LinkServers } from '../links/link-servers.js';
import { apiServerOptions } from './server-options.js';
import type { PublicListener } from './public-listener.js';

/** Nest's Express, with our listener ahead of it as the server's own. */
export class GatewayAdapter extends ExpressAdapter {
  #listener: PublicListener | undefined;
  #linkServers: LinkServers | undefined;
  #lastAnswers: LastAnswers | undefined;

  constructor(private readonly apiVersion: string) {
    super();
  }

  /** From now on requests are answered; Nest makes the server before its providers exist. */
  serve(listener: PublicListener, linkServers: LinkServers): void {
    this.#listener = listener;
    this.#linkServers = linkServers;
  }

  override initHttpServer(): void {
    const pages = this.getInstance<RequestListener & { disable(setting: string): void }>();
    pages.disable('x-powered-by');
    pages.disable('etag');
    const handle: RequestListener = (request, response) =>
      void this.#listener?.handle(request, response, pages);
    const { server, lastAnswers } = createOriginServer(handle, this.apiVersion, apiServerOptions);
    this.#lastAnswers = lastAnswers;
    this.setHttpServer(server);
  }

  /** Takes no new connections on any origin and waits for what is under way. */
  override async close(): Promise<undefined> {
    await Promise.all([this.#lastAnswers?.close(), this.#linkServers?.close()]);
  }
}
