import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  decode,
  encode,
  RECURSION_AVAILABLE,
  streamDecode,
  streamEncode,
  TRUNCATED_RESPONSE,
  type Packet,
  type Question,
} from 'dns-packet';
import { Zone, type TxtStrings } from './zone.js';

/** RFC 1035, 4.1.1. */
const SERVFAIL = 2;
const NXDOMAIN = 3;
const REFUSED = 5;

/** `truncate` sets the TC flag in responses over UDP and omits the records, so that resolvers retry over TCP. */
export type DnsMode = 'answer' | 'servfail' | 'refuse' | 'silence' | 'truncate';

export interface ReceivedQuestion {
  readonly over: 'udp' | 'tcp';
  readonly type: string;
  readonly name: string;
}

type Transport = ReceivedQuestion['over'];

/** A name server on a loopback port, over UDP and TCP, that serves the records a test sets. */
export class DnsServer {
  /** How the server responds to the next questions. */
  mode: DnsMode = 'answer';
  readonly #questions: ReceivedQuestion[] = [];
  readonly #zone = new Zone();
  readonly #connections = new Set<Socket>();

  private constructor(
    private readonly udp: UdpSocket,
    private readonly tcp: Server,
  ) {
    udp.on('message', (message, { port, address }) =>
      this.#answer('udp', decode(message), (packet) => udp.send(encode(packet), port, address)),
    );
    tcp.on('connection', (socket) => this.#serve(socket));
  }

  /** Starts a server without records. Stop it in `afterAll`. */
  static async start(): Promise<DnsServer> {
    for (;;) {
      const udp = createSocket('udp4').bind(0, '127.0.0.1');
      await once(udp, 'listening');
      const tcp = await listen(udp.address().port);
      if (tcp) return new DnsServer(udp, tcp);
      udp.close();
    }
  }

  /** `127.0.0.1:port`, in the format of DNS_RESOLVERS. */
  get address(): string {
    return `127.0.0.1:${(this.tcp.address() as AddressInfo).port}`;
  }

  /** The questions received, oldest first. */
  get questions(): readonly ReceivedQuestion[] {
    return this.#questions;
  }

  /** Sets the TXT records of a name; an array is one record of several strings. No record: the name exists without any. */
  setTxt(name: string, ...records: readonly TxtStrings[]): void {
    this.#zone.setTxt(name, records);
  }

  /** Makes a name an alias (CNAME) of another. */
  setAlias(name: string, target: string): void {
    this.#zone.setAlias(name, target);
  }

  /** Removes names and questions, and sets the mode to `answer`. */
  reset(): void {
    this.#zone.clear();
    this.#questions.length = 0;
    this.mode = 'answer';
  }

  async stop(): Promise<void> {
    for (const socket of this.#connections) socket.destroy();
    const closed = [once(this.udp, 'close'), once(this.tcp, 'close')];
    this.udp.close();
    this.tcp.close();
    await Promise.all(closed);
  }

  #serve(socket: Socket): void {
    this.#connections.add(socket);
    socket.on('close', () => this.#connections.delete(socket));
    socket.on('error', () => socket.destroy());
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      for (let end = messageEnd(received); end <= received.length; end = messageEnd(received)) {
        const question: Packet = streamDecode(received.subarray(0, end));
        received = received.subarray(end);
        this.#answer('tcp', question, (packet) => socket.write(streamEncode(packet)));
      }
    });
  }

  #answer(over: Transport, question: Packet, send: (packet: Packet) => void): void {
    const { id, questions = [] } = question;
    this.#questions.push(...questions.map(({ type, name }) => ({ over, type, name })));
    if (this.mode === 'silence') return;
    send({ type: 'response', id, questions, ...this.#reply(over, questions) });
  }

  #reply(over: Transport, questions: readonly Question[]): Packet {
    const [question] = questions;
    if (this.mode === 'servfail' || !question) return { flags: SERVFAIL };
    if (this.mode === 'refuse') return { flags: REFUSED };
    if (this.mode === 'truncate' && over === 'udp')
      return { flags: RECURSION_AVAILABLE | TRUNCATED_RESPONSE };
    const answers = this.#zone.answersTo(question);
    return answers ? { flags: RECURSION_AVAILABLE, answers } : { flags: RECURSION_AVAILABLE | NXDOMAIN };
  }
}

/** Returns nothing when the TCP port is in use: the system assigns ports of UDP and TCP independently. */
async function listen(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** Offset of the end of the first message, including its length prefix of two bytes (RFC 1035, 4.2.2). */
function messageEnd(received: Buffer): number {
  return received.length < 2 ? Infinity : 2 + received.readUInt16BE(0);
}
