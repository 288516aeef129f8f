import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A response, or `cut` for a connection that is closed without one. */
export type ScriptedResponse =
  | 'cut'
  | {
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
      /** In place of `body`: not JSON. */
      readonly text?: string;
    };

/** An HTTP server that answers what a test says, and remembers what it was asked. */
export class ScriptedServer {
  readonly requests: ReceivedRequest[] = [];
  #answers: (request: ReceivedRequest) => ScriptedResponse | Promise<ScriptedResponse> = () => success({});

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<ScriptedServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** Answers with these responses in order, and with the last one from then on. */
  script(...responses: readonly ScriptedResponse[]): void {
    const left = [...responses];
    this.answer(() => (left.length > 1 ? left.shift() : left[0]) ?? success({}));
  }

  /** Answers each request by a function. */
  answer(respond: (request: ReceivedRequest) => ScriptedResponse | Promise<ScriptedResponse>): void {
    this.requests.length = 0;
    this.#answers = respond;
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
    const received = { method, url, headers, body: Buffer.concat(parts).toString() };
    this.requests.push(received);
    const answer = await this.#answers(received);
    if (answer === 'cut') return void request.socket.destroy();
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers });
    response.end(answer.text ?? (answer.body === undefined ? undefined : JSON.stringify(answer.body)));
  }
}

/** The page of a proxy or of the sign-in of a network, in place of the API's answer. */
export function page(status: number, contentType = 'text/html; charset=utf-8'): ScriptedResponse {
  return { status, headers: { 'Content-Type': contentType }, text: '<html><h1>Sign in</h1></html>' };
}

/** A success in the envelope of the API. */
export function success(data: unknown, status = 200): ScriptedResponse {
  return { status, body: { data, meta: { api_version: '1', request_id: 'req_1' } } };
}

/** An error in the envelope of the API. */
export function refusal(
  status: number,
  code: string,
  { retryAfter, details }: { readonly retryAfter?: number; readonly details?: object } = {},
): ScriptedResponse {
  return {
    status,
    headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
    body: {
      error: { code, message: `This is ${code}.`, details },
      meta: { api_version: '1', request_id: 'req_1' },
    },
  };
}
