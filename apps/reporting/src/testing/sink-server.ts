import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@vaultsvc/testing/waiting';

/** A request that a sink has received completely. */
export interface ReceivedBatch {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An entry line. */
export interface ReceivedLine extends Record<string, unknown> {
  readonly account: string;
  readonly seq: number;
}

type Respond = (response: ServerResponse) => void;

/** Answers 204. */
export const accept: Respond = (response) => void response.writeHead(204).end();
/** Answers nothing, for as long as the client waits. */
export const hang: Respond = () => undefined;
/** Closes the connection without an answer. */
export const cut: Respond = (response) => void response.destroy();
export const answer =
  (status: number, headers = {}): Respond =>
  (response) =>
    void response.writeHead(status, headers).end('the response names hunter2');

/** A server that receives batches, and answers as the test wants. */
export class SinkServer {
  readonly received: ReceivedBatch[] = [];
  /** The most requests that were open at once. */
  concurrency = 0;
  #open = 0;
  #respond: Respond = accept;

  private constructor(private readonly server = createServer()) {}

  static async start(respond: Respond = accept): Promise<SinkServer> {
    const sink = new SinkServer();
    sink.#respond = respond;
    sink.server.on('request', (request, response) => {
      sink.#receive(request, response).catch(() => response.destroy());
    });
    sink.server.listen(0, '127.0.0.1');
    await once(sink.server, 'listening');
    return sink;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/in`;
  }

  /** The setting of a sink that sends here. */
  settings(name: string, more: object = {}): object {
    return { name, kind: 'http', url: this.url, allow_private: true, ...more };
  }

  /** How requests are answered from now on. */
  respond(respond: Respond): void {
    this.#respond = respond;
  }

  /** The received lines of an account, repetitions included. */
  linesOf(account: string): ReceivedLine[] {
    const lines = this.received.flatMap(({ body }) => body.trimEnd().split('\n'));
    return lines.map((line) => JSON.parse(line) as ReceivedLine).filter((line) => line.account === account);
  }

  /** Waits until the last entry of an account was received, and returns its lines. */
  waitFor(account: string, lastSeq: number): Promise<ReceivedLine[]> {
    return eventually(
      () => this.linesOf(account),
      (lines) => lines.at(-1)?.seq === lastSeq,
    );
  }

  /** Waits for so many requests. */
  waitForRequests(count: number): Promise<readonly ReceivedBatch[]> {
    return eventually(
      () => this.received,
      ({ length }) => length >= count,
    );
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.concurrency = Math.max(this.concurrency, (this.#open += 1));
    response.once('close', () => (this.#open -= 1));
    const body = await text(request);
    this.received.push({ path: request.url ?? '', headers: request.headers, body });
    this.#respond(response);
  }
}
