import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface ReceivedCall {
  /** Method and path, such as `POST /v1/sparks`. */
  readonly call: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A response: `data` in the envelope of the API, `json` without it, or `raw` as it is. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: unknown;
  readonly json?: unknown;
  readonly raw?: string | Buffer;
}

type Route = Answer | ((call: ReceivedCall) => Answer);

/** An HTTP server with an answer for each call; 404 for others. */
export class FakeApi {
  readonly calls: ReceivedCall[] = [];
  #routes: Readonly<Record<string, Route>> = {};

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<FakeApi> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeApi(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** Answers these calls from now on, and forgets those that were received. */
  answers(routes: Readonly<Record<string, Route>>): void {
    this.calls.length = 0;
    this.#routes = routes;
  }

  /** The calls in their order. */
  get called(): string[] {
    return this.calls.map(({ call }) => call);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    const received = { call: `${method} ${url}`, headers, body: Buffer.concat(parts) };
    this.calls.push(received);
    const route = this.#routes[received.call] ?? this.#routes['*'] ?? refusal(404, 'NOT_FOUND');
    const { status = 200, headers: own, ...answer } = typeof route === 'function' ? route(received) : route;
    const json = 'data' in answer ? { data: answer.data, meta: { request_id: 'req_1' } } : answer.json;
    response.writeHead(status, { 'Content-Type': 'application/json', ...own });
    response.end(answer.raw ?? (json === undefined ? undefined : JSON.stringify(json)));
  }
}

/** An error in the envelope of the API. */
export function refusal(
  status: number,
  code: string,
  details: object = {},
  message = `This is ${code}.`,
): Answer {
  return { status, json: { error: { code, message, details }, meta: { request_id: 'req_1' } } };
}

/** The page of a proxy. */
export function page(status: number): Answer {
  return { status, headers: { 'Content-Type': 'text/html' }, raw: '<html><h1>Sign in</h1></html>' };
}
