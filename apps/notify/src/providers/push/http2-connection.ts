import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { ProviderFailure } from '../../outbound/provider-failure.js';
import { codeOf } from '../../outbound/provider-http.js';

/** A reply over HTTP/2. */
export interface Http2Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

const TIMEOUT_MS = 10_000;
const REPLY_BYTES_MAX = 4_096;

/**
 * One connection over HTTP/2 that all requests share, opened when it is first needed, and again after GOAWAY or an error.
 * APNs speaks HTTP/2 only, which `sendOutbound` does not, and Apple may treat many short connections as an attack.
 */
export class Http2Connection {
  #session: ClientHttp2Session | undefined;

  constructor(private readonly origin: string) {}

  /** @throws ProviderFailure without a reply */
  async post(path: string, headers: Readonly<Record<string, string>>, body: string): Promise<Http2Reply> {
    const session = this.#open();
    const stream = session.request(
      { ':method': 'POST', ':path': path, ...headers },
      { signal: AbortSignal.timeout(TIMEOUT_MS) },
    );
    try {
      return await replyOf(stream, body);
    } catch (error) {
      const code = codeOf((error as Error).cause ?? error); // a cancelled stream has the error of the session
      if (code === 'TIMEOUT') session.close(); // it may be half open: the next request needs another one
      throw new ProviderFailure(code, { isAnswerLost: wasSent(stream), isUnanswered: true });
    }
  }

  /** Ends the connection; requests that still run fail. */
  close(): void {
    this.#session?.destroy();
  }

  /** GOAWAY closes the session for new requests, while those that the server has accepted continue (RFC 9113, 6.8). */
  #open(): ClientHttp2Session {
    if (this.#session && !this.#session.closed && !this.#session.destroyed) return this.#session;
    const session = connect(this.origin);
    session.on('error', () => {}); // each of its streams reports it
    this.#session = session;
    return session;
  }
}

function replyOf(stream: ClientHttp2Stream, body: string): Promise<Http2Reply> {
  return new Promise((resolve, reject) => {
    let headers: Http2Reply['headers'] = {};
    let text = '';
    stream.setEncoding('utf8');
    stream.on('response', (received) => (headers = received));
    stream.on('data', (part: string) => {
      if (text.length < REPLY_BYTES_MAX) text += part;
    });
    stream.on('error', reject);
    stream.on('close', () => {
      const status = Number(headers[':status'] ?? 0);
      if (status > 0) resolve({ status, headers, body: text });
      else reject(Object.assign(new Error('no reply'), { code: `HTTP2 ${stream.rstCode}` }));
    });
    stream.end(body);
  });
}

/**
 * Whether the server may have acted on a request. A stream without an id never left; REFUSED_STREAM, which a GOAWAY also means
 * for later streams, says that the server did not act (RFC 9113, 8.7).
 */
function wasSent({ id, rstCode }: ClientHttp2Stream): boolean {
  return id !== undefined && rstCode !== constants.NGHTTP2_REFUSED_STREAM;
}
