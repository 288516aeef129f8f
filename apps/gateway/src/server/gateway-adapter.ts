import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import { createOriginServer, type ApiInfo, type GracefulHttpClose } from '@vaultsvc/http';
import type { LinkServers } from '../links/link-servers.js';
import type { FeedSockets } from '../feed/feed-sockets.js';
import type { Upgrade } from '../exchange/exchange.js';
import { apiServerOptions } from '../exchange/server-options.js';
import type { PublicListener } from './public-listener.js';
import { UpgradableRequest } from '../exchange/upgradable-request.js';
import { responseOnUpgrade } from '../exchange/upgrade-response.js';

/** Nest's Express adapter with PublicListener as the listener of its HTTP server. */
export class GatewayAdapter extends ExpressAdapter {
  #listener: PublicListener | undefined;
  #linkServers: LinkServers | undefined;
  #feedSockets: FeedSockets | undefined;
  #gracefulClose: GracefulHttpClose | undefined;

  constructor(private readonly api: ApiInfo) {
    super();
  }

  /** Sets the listener, after Nest has created the providers; Nest creates the server before them. */
  serve(listener: PublicListener, linkServers: LinkServers, feedSockets: FeedSockets): void {
    this.#listener = listener;
    this.#linkServers = linkServers;
    this.#feedSockets = feedSockets;
  }

  override initHttpServer(): void {
    const pages = this.getInstance<RequestListener & { disable(setting: string): void }>();
    pages.disable('x-powered-by');
    pages.disable('etag');
    const handle: RequestListener = (request, response) =>
      void this.#listener?.handle(request, response, pages);
    const { server, gracefulClose } = createOriginServer(handle, this.api, {
      ...apiServerOptions,
      IncomingMessage: UpgradableRequest,
    });
    server.on('upgrade', (request, socket, head) => {
      // The socket of a plain HTTP server is a socket of TCP.
      void this.#handleUpgrade(request, { socket: socket as Socket, head }, pages);
    });
    this.#gracefulClose = gracefulClose;
    this.setHttpServer(server);
  }

  /** Stops accepting connections on all origins, closes the sockets of the feed and waits for pending responses. */
  override async close(): Promise<undefined> {
    await Promise.all([this.#gracefulClose?.close(), this.#linkServers?.close(), this.#feedSockets?.close()]);
  }

  async #handleUpgrade(request: IncomingMessage, upgrade: Upgrade, pages: RequestListener): Promise<void> {
    const response = await responseOnUpgrade(request, upgrade.socket);
    if (response) await this.#listener?.handle(request, response, pages, upgrade);
  }
}
