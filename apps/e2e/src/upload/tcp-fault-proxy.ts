import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A fault after a number of bytes. `cut`: all connections are reset; `hold`: further bytes of the client are dropped. */
export interface TcpFault {
  /** Bytes from all clients since the previous fault, or since this one was injected. */
  readonly afterBytes: number;
  readonly kind: 'cut' | 'hold';
  /** For `cut`: how long new connections are refused. */
  readonly seconds?: number;
}

/** A TCP proxy to a server that injects faults at exact byte counts. */
export class TcpFaultProxy {
  readonly #listener: Server;
  readonly #pairs = new Map<Socket, Socket>();
  readonly #faults: TcpFault[] = [];
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;
  #isUp = true;

  private constructor(
    private readonly target: URL,
    readonly origin: string,
    listener: Server,
  ) {
    this.#listener = listener.on('connection', (client: Socket) => this.#connect(client));
  }

  static async start(targetOrigin: string): Promise<TcpFaultProxy> {
    const listener = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    return new TcpFaultProxy(new URL(targetOrigin), `http://127.0.0.1:${port}`, listener);
  }

  /** The same URL through this proxy. */
  proxied(url: string): string {
    return url.replace(this.target.origin, this.origin);
  }

  /** Adds a fault to the queue. Resolves when it occurs. */
  inject(fault: TcpFault): Promise<void> {
    if (this.#faults.push(fault) === 1) this.#bytes = 0;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resets all connections now. */
  cut(): void {
    this.#resetAll();
  }

  async close(): Promise<void> {
    this.#resetAll();
    this.#listener.close();
    await once(this.#listener, 'close');
  }

  #connect(client: Socket): void {
    if (!this.#isUp) return void client.destroy();
    const server = connect(Number(this.target.port), this.target.hostname);
    this.#pairs.set(client, server);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => void (other.destroy(), this.#pairs.delete(client)));
    }
    server.pipe(client);
    client.on('data', (part: Buffer) => void this.#forward(client, server, part));
    client.resume();
  }

  #forward(client: Socket, server: Socket, part: Buffer): void {
    this.#bytes += part.length;
    const [fault] = this.#faults;
    if (fault && this.#bytes >= fault.afterBytes) return this.#apply(fault, client);
    if (server.write(part)) return;
    client.pause();
    server.once('drain', () => client.resume());
  }

  #apply(fault: TcpFault, client: Socket): void {
    this.#bytes = 0;
    this.#faults.shift();
    if (fault.kind === 'hold') client.removeAllListeners('data').resume();
    else void this.#cut(fault.seconds ?? 0);
    this.#waiting.shift()?.();
  }

  async #cut(seconds: number): Promise<void> {
    this.#isUp = false;
    this.#resetAll();
    await delay(seconds * 1_000);
    this.#isUp = true;
  }

  #resetAll(): void {
    for (const [client, server] of this.#pairs)
      for (const socket of [client, server]) socket.resetAndDestroy();
  }
}
