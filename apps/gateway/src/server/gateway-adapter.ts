import type { RequestListener } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { createOriginServer, type GracefulHttpClose } from '@vaultsvc/http';
import type { LinkServers } from '../links/link-servers.js';
import { apiServerOptions } from './server-options.js';
import type { PublicListener } from './public-listener.js';

/** Nest's Express adapter with PublicListener as the listener of its HTTP server. */
export class GatewayAdapter extends ExpressAdapter {
  #listener: PublicListener | undefined;
  #linkServers: LinkServers | undefined;
  #gracefulClose: GracefulHttpClose | undefined;

  constructor(private readonly apiVersion: string) {
    super();
  }

  /** Sets the listener, after Nest has created the providers; Nest creates the server before them. */
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
    const { server, gracefulClose } = createOriginServer(handle, this.apiVersion, apiServerOptions);
    this.#gracefulClose = gracefulClose;
    this.setHttpServer(server);
  }

  /** Stops accepting connections on all origins and waits for pending responses. */
  override async close(): Promise<undefined> {
    await Promise.all([this.#gracefulClose?.close(), this.#linkServers?.close()]);
  }
}
