import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may wait behind the one that is being answered. Clients of today send none ahead. */
const WAITING_MAX = 16;

/**
 * Lets the requests of a connection in one after the other, each when the answer before it is out (RFC 9112, 9.3.2). Node
 * would begin all that were sent ahead at once: thousands of downloads at the price of one connection, and those behind
 * the first are never told that the connection broke.
 */
export class Turns {
  readonly #waiting = new WeakMap<Socket, (() => void)[]>();

  /** Begins at once or in its turn; never when the connection ends before that. Who sends too many ahead is cut off. */
  take({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const turn = () => {
      response.once('close', () => this.#next(socket));
      begin();
    };
    const waiting = this.#waiting.get(socket);
    if (waiting?.length === WAITING_MAX) return void socket.destroy();
    if (waiting) return void waiting.push(turn);
    this.#waiting.set(socket, []);
    turn();
  }

  #next(socket: Socket): void {
    const turn = socket.destroyed ? undefined : this.#waiting.get(socket)?.shift();
    if (turn) turn();
    else this.#waiting.delete(socket);
  }
}
