import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { list, text } from '@vaultsvc/config';

/** The client of a request, as the trusted proxies report it. */
export interface Caller {
  readonly ip: string;
  /** `https` or `http` as a trusted proxy reports it; undefined without a trusted proxy, whatever a header says. */
  readonly scheme: string | undefined;
}

/**
 * Applies TRUSTED_PROXIES. Each proxy appends the address of its peer to `X-Forwarded-For`. So the header is read from
 * the right, past trusted proxies, to the first other address; the caller may have forged everything left of it.
 */
export class ProxyTrust {
  readonly #trusted = new BlockList();
  readonly #isEmpty: boolean;

  /** Addresses or CIDR blocks; throws an Error with a message for the operator for anything else. */
  constructor(proxies: readonly string[]) {
    for (const proxy of proxies) this.#add(proxy);
    this.#isEmpty = proxies.length === 0;
  }

  /** Address and scheme of the client behind the trusted proxies. */
  callerOf(request: IncomingMessage): Caller {
    const peer = normalizeAddress(request.socket.remoteAddress ?? '') ?? '0.0.0.0';
    if (this.#isEmpty || !this.#trusts(peer)) return { ip: peer, scheme: undefined };
    return {
      ip: this.#clientBehind(peer, header(request, 'x-forwarded-for')),
      scheme: lastItem(header(request, 'x-forwarded-proto')),
    };
  }

  #clientBehind(peer: string, forwarded: string): string {
    let client = peer;
    for (const item of forwarded.split(',').reverse()) {
      const address = normalizeAddress(withoutPort(item.trim()));
      if (address === undefined) return client;
      client = address;
      if (!this.#trusts(address)) return client;
    }
    return client;
  }

  #trusts(address: string): boolean {
    return this.#trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  #add(proxy: string): void {
    const [base = '', prefix, ...rest] = proxy.split('/');
    const address = normalizeAddress(base);
    const bits = prefix === undefined ? undefined : Number(prefix);
    const isBlock = rest.length === 0 && (prefix === undefined || /^\d{1,3}$/.test(prefix));
    if (address === undefined || !isBlock) throw new Error(`must hold addresses or CIDR blocks`);
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) this.#trusted.addAddress(address, family);
    else this.#trusted.addSubnet(address, bits, family);
  }
}

const MAPPED = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i;

/** The address without zone, IPv4-mapped IPv6 as IPv4; undefined for text that is not an address. */
export function normalizeAddress(text: string): string | undefined {
  const address = text.split('%')[0] as string;
  const [, dotted, high, low] = MAPPED.exec(address) ?? [];
  const plain = dotted ?? (high && low ? fromHex(high, low) : address);
  return isIP(plain) === 0 ? undefined : plain;
}

function fromHex(high: string, low: string): string {
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`;
}

/** Some proxies append `address:port` or `[v6]:port`. */
function withoutPort(item: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(item) ?? [];
  return bracketed ?? item.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

function lastItem(text: string): string | undefined {
  return text.split(',').at(-1)?.trim().toLowerCase() || undefined;
}

function header(request: IncomingMessage, name: 'x-forwarded-for' | 'x-forwarded-proto'): string {
  const value = request.headers[name] ?? '';
  return typeof value === 'string' ? value : value.join(',');
}

/** Parses the setting TRUSTED_PROXIES. Throws an Error for an item that is neither an address nor a CIDR block. */
export function proxyList(value: string): readonly string[] {
  const items = list(text)(value);
  new ProxyTrust(items);
  return items;
}
