import type { LookupFunction } from 'node:net';
import { isLoopback } from '@vaultsvc/config';
import { publicHost } from '@vaultsvc/http';
import type { NotifyConfig } from '../config.js';
import { addressInvalid, ProviderFailure } from './provider-failure.js';
import { codeOf } from './provider-http.js';

/** Where a request to an address that a customer chose may go. */
export interface CheckedTarget {
  readonly url: URL;
  readonly lookup: LookupFunction | undefined;
}

/**
 * Reads a URL that a customer chose. Requests to it leave over TLS and reach public hosts only; the local profile also allows
 * loopback, over plain HTTP too, for the local inbox. A URL with a private address fails finally; a name that resolves to one
 * fails when `lookup` is used, and is tried again.
 * @throws ProviderFailure `ADDRESS_INVALID`, `PRIVATE_ADDRESS`
 */
export function targetOf(text: unknown, { PROFILE }: Pick<NotifyConfig, 'PROFILE'>): CheckedTarget {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.username !== '' || url.password !== '') throw addressInvalid();
  const isLocal = PROFILE === 'local' && isLoopback(url.hostname);
  if (isLocal && /^https?:$/.test(url.protocol)) return { url, lookup: undefined };
  if (url.protocol !== 'https:') throw addressInvalid();
  try {
    return { url, ...publicHost(url) };
  } catch (error) {
    throw new ProviderFailure(codeOf(error), { isFinal: true });
  }
}
