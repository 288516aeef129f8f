import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { LinkDomain } from '@vaultsvc/contracts';
import { apiInfoOf, createOriginServer } from '@vaultsvc/http';
import { GatewayConfig } from '../config.js';
import { serverOptions } from '../exchange/server-options.js';
import { linkDataHeaders } from './link-responder.js';
import { LinkListener } from './link-listener.js';

type OriginServer = ReturnType<typeof createOriginServer>;

/** The servers of link pages and file pages. Each has its own port, so the origin never depends on a header. */
@Injectable()
export class LinkServers {
  readonly #servers: Readonly<Record<LinkDomain, OriginServer>>;

  constructor(listener: LinkListener, config: GatewayConfig) {
    const api = apiInfoOf(config);
    const serverOf = (domain: LinkDomain) => {
      const handle: RequestListener = (request, response) => void listener.handle(request, response, domain);
      return createOriginServer(handle, api, serverOptions, linkDataHeaders);
    };
    this.#servers = { link: serverOf('link'), files: serverOf('files') };
  }

  /** Resolves when both listen; rejects when one cannot. */
  async listen({ LINK_PORT, FILES_PORT, HTTP_HOST }: GatewayConfig): Promise<void> {
    await listening(this.#servers.link, LINK_PORT, HTTP_HOST);
    await listening(this.#servers.files, FILES_PORT, HTTP_HOST);
  }

  /** The port that a server listens on, also where its setting is 0. */
  portOf(domain: LinkDomain): number {
    return (this.#servers[domain].server.address() as AddressInfo).port;
  }

  /** Stops accepting connections and waits for pending responses. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#servers).map(({ gracefulClose }) => gracefulClose.close()));
  }
}

function listening({ server }: OriginServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
