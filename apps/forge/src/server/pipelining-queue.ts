import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may wait behind the current one of a connection. Clients of today do not pipeline. */
const WAITING_MAX = 16;

/**
 * Handles the pipelined requests of a connection one by one, each after the response before it (RFC 9112, 9.3.2). Node
 * would handle all of them at once: thousands of downloads at the price of one connection, of which all but the first
 * would not notice that the connection broke.
 */
export class PipeliningQueue {
  readonly #waiting = new WeakMap<Socket, (() => void)[]>();

  /** Runs `handle` at once, or after the responses before; never when the connection closes first. */
  run({ socket }: IncomingMessage, response: ServerResponse, handle: () => void): void {
    const start = () => {
      response.once('close', () => this.#next(socket));
      handle();
    };
    const waiting = this.#waiting.get(socket);
    if (waiting?.length === WAITING_MAX) return void socket.destroy();
    if (waiting) return void waiting.push(start);
    this.#waiting.set(socket, []);
    start();
  }

  #next(socket: Socket): void {
    const start = socket.destroyed ? undefined : this.#waiting.get(socket)?.shift();
    if (start) start();
    else this.#waiting.delete(socket);
  }
}
