import type { RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { LinkDomain } from '@vaultsvc/contracts';
import { createOriginServer, type LastAnswers } from '@vaultsvc/http';
import { GatewayConfig } from '../config.js';
import { serverOptions } from '../server/server-options.js';
import { linkDataHeaders } from './link-headers.js';
import { LinkListener } from './link-listener.js';

interface OriginServer {
  readonly server: Server;
  readonly lastAnswers: LastAnswers;
}

/** The servers of link pages and of file pages: ports of their own, so that which origin it is never depends on a header. */
@Injectable()
export class LinkServers {
  readonly #servers: Readonly<Record<LinkDomain, OriginServer>>;

  constructor(listener: LinkListener, { BUILD_VERSION }: GatewayConfig) {
    const serverOf = (domain: LinkDomain) => {
      const handle: RequestListener = (request, response) => void listener.handle(request, response, domain);
      return createOriginServer(handle, BUILD_VERSION, serverOptions, linkDataHeaders);
    };
    this.#servers = { link: serverOf('link'), files: serverOf('files') };
  }

  /** Resolves when both listen; rejects when one cannot. */
  async listen({ LINK_PORT, FILES_PORT, HTTP_HOST }: GatewayConfig): Promise<void> {
    await listening(this.#servers.link, LINK_PORT, HTTP_HOST);
    await listening(this.#servers.files, FILES_PORT, HTTP_HOST);
  }

  /** Where it listens now: another port than that of the settings where they say 0. */
  portOf(domain: LinkDomain): number {
    return (this.#servers[domain].server.address() as AddressInfo).port;
  }

  /** Takes no new connections and waits for what is under way. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#servers).map(({ lastAnswers }) => lastAnswers.close()));
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
