import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What happens to a line after some bytes: it is torn, or what comes from this client is swallowed from then on. */
export interface Trouble {
  /** Bytes from the clients, whatever the connection, since this is expected or the trouble before has happened. */
  readonly afterBytes: number;
  readonly kind: 'cut' | 'hold';
  /** Of a cut: for how long nobody can connect. */
  readonly seconds?: number;
}

/** A TCP line to a server, on which what is told to happen happens at the byte. */
export class Line {
  readonly #listener: Server;
  readonly #pairs = new Map<Socket, Socket>();
  readonly #troubles: Trouble[] = [];
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;
  #isUp = true;

  private constructor(
    private readonly target: URL,
    readonly origin: string,
    listener: Server,
  ) {
    this.#listener = listener.on('connection', (client: Socket) => this.#join(client));
  }

  static async to(targetOrigin: string): Promise<Line> {
    const listener = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    return new Line(new URL(targetOrigin), `http://127.0.0.1:${port}`, listener);
  }

  /** The same URL, through this line. */
  through(url: string): string {
    return url.replace(this.target.origin, this.origin);
  }

  /** Troubles happen one after the other. Resolves when this one does. */
  expect(trouble: Trouble): Promise<void> {
    if (this.#troubles.push(trouble) === 1) this.#bytes = 0;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.#tear();
    this.#listener.close();
    await once(this.#listener, 'close');
  }

  #join(client: Socket): void {
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
    client.on('data', (part: Buffer) => void this.#pass(client, server, part));
    client.resume();
  }

  #pass(client: Socket, server: Socket, part: Buffer): void {
    this.#bytes += part.length;
    const [trouble] = this.#troubles;
    if (trouble && this.#bytes >= trouble.afterBytes) return this.#happen(trouble, client);
    if (server.write(part)) return;
    client.pause();
    server.once('drain', () => client.resume());
  }

  #happen(trouble: Trouble, client: Socket): void {
    this.#bytes = 0;
    this.#troubles.shift();
    if (trouble.kind === 'hold') client.removeAllListeners('data').resume();
    else void this.#cut(trouble.seconds ?? 0);
    this.#waiting.shift()?.();
  }

  async #cut(seconds: number): Promise<void> {
    this.#isUp = false;
    this.#tear();
    await delay(seconds * 1_000);
    this.#isUp = true;
  }

  #tear(): void {
    for (const [client, server] of this.#pairs)
      for (const socket of [client, server]) socket.resetAndDestroy();
  }
}
