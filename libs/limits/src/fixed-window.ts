import { isIPv6 } from 'node:net';

/** One minute, aligned to the clock of Redis (AMB-39). All times in epoch seconds. */
export interface FixedWindow {
  /** Whose calls are counted. */
  readonly of: 'account' | 'address';
  readonly limit: number;
  /** Calls in this window, this one included. More than `limit`: the call is refused. */
  readonly used: number;
  readonly resetsAt: number;
  readonly now: number;
}

/** Whether the window's limit is exceeded, so that the call is refused with 429 (see `assertWithinLimit`). */
export function isOverLimit(window: FixedWindow): boolean {
  return window.used > window.limit;
}

/**
 * The network that one client controls: an IPv4 address itself, the /64 of an IPv6 address. Every IPv6 subscriber has at
 * least 2^64 addresses (RFC 6177), so a limit per address would limit nothing.
 */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] as string).split('::') as [string, string?];
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
