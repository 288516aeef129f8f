import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request that a provider has received completely. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Respond = (response: ServerResponse, request: ReceivedRequest) => void;

/** Answers with a status, headers and a body. */
export const reply =
  (status: number, body = '', headers: Record<string, string> = {}): Respond =>
  (response) =>
    void response.writeHead(status, headers).end(body);
/** Closes the connection after the whole request, without an answer. */
export const cut: Respond = (response) => void response.destroy();

/** An HTTP server that answers as the test wants. */
export class ProviderServer {
  readonly received: ReceivedRequest[] = [];

  private constructor(
    private readonly server: Server,
    public respond: Respond,
  ) {}

  static async start(respond: Respond = reply(200)): Promise<ProviderServer> {
    const provider = new ProviderServer(createServer(), respond);
    provider.server.on('request', (request, response) => {
      buffer(request).then(
        (body) => provider.#answer({ path: request.url ?? '', headers: request.headers, body }, response),
        () => response.destroy(),
      );
    });
    provider.server.listen(0, '127.0.0.1');
    await once(provider.server, 'listening');
    return provider;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The bodies of all requests, as JSON. */
  get bodies(): unknown[] {
    return this.received.map(({ body }) => JSON.parse(body.toString()) as unknown);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #answer(request: ReceivedRequest, response: ServerResponse): void {
    this.received.push(request);
    this.respond(response, request);
  }
}
