import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isLoopback } from '@vaultsvc/config';
import { AppError } from '@vaultsvc/contracts';

/**
 * Keeps pages of other sites away from a server on the machine of their visitor. The name of such a page may resolve to a
 * loopback address (DNS rebinding): its requests then have the origin of the server, but still its name in Host. Only in
 * the local profile: elsewhere the proxy in front decides by names and may replace them.
 */
export class DnsRebindingGuard {
  readonly #isOn: boolean;
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  /** `own`: public origins of the server. `pages`: origins whose pages may call it. */
  constructor(profile: string, own: readonly string[], pages: readonly string[]) {
    this.#isOn = profile === 'local';
    this.#hosts = new Set(own.map((origin) => new URL(origin).hostname));
    this.#origins = new Set([...own, ...pages]);
  }

  /** Throws HOST_REFUSED (403) for a Host that is neither a loopback name nor that of a public origin. */
  assertHost({ headers: { host } }: IncomingMessage): void {
    if (!this.#isOn || host === undefined) return;
    const name = host.replace(/:\d*$/, '').toLowerCase();
    if (!isLoopbackName(name) && !this.#hosts.has(name)) throw new AppError('HOST_REFUSED');
  }

  /**
   * Throws ORIGIN_UNLISTED (403) for a request that a page of another site can send without a preflight. All others need
   * one, whose answer has CORS headers for listed origins only (OPEN-54).
   */
  assertOrigin(request: IncomingMessage): void {
    const { origin } = request.headers;
    if (!this.#isOn || origin === undefined || needsPreflight(request)) return;
    if (!this.#origins.has(origin) && !isLoopbackOrigin(origin)) throw new AppError('ORIGIN_UNLISTED');
  }
}

/** `localhost` and names below it (RFC 6761, 6.3), and loopback addresses as they are in URLs. */
function isLoopbackName(name: string): boolean {
  const plain = name.replace(/\.$/, '');
  return plain.endsWith('.localhost') || isLoopback(plain);
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLoopbackName(new URL(origin).hostname);
}

/** Of the Fetch standard, 2.2.1 and 2.2.2: requests with these need no preflight unless a header does. */
const SIMPLE_METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'POST']);
const SIMPLE_TYPE = /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(?:;|$)/i;
/** Of the headers that need a preflight, those that our routes read. */
const CUSTOM_HEADERS = ['authorization', 'x-api-key', 'x-vk-client', 'x-vault-access-token', 'tus-resumable'];

function needsPreflight({ method, headers }: IncomingMessage): boolean {
  const isSimple = SIMPLE_METHODS.has(method) && hasSimpleType(headers);
  return !isSimple || CUSTOM_HEADERS.some((name) => headers[name] !== undefined);
}

function hasSimpleType({ 'content-type': type }: IncomingHttpHeaders): boolean {
  return type === undefined || SIMPLE_TYPE.test(type);
}
