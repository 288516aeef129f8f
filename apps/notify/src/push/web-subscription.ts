import type { NotifyConfig } from '../config.js';
import { targetOf } from '../outbound/target-url.js';

/**
 * Whether a text is the JSON of a PushSubscription (W3C Push API, section 8): an endpoint that may be called, with the keys of
 * RFC 8291.
 */
export function isSubscription(text: string, config: Pick<NotifyConfig, 'PROFILE'>): boolean {
  const { endpoint, keys } = (parse(text) ?? {}) as { endpoint?: unknown; keys?: Record<string, unknown> };
  if (typeof endpoint !== 'string' || !isTarget(endpoint, config)) return false;
  return isKey(keys?.['p256dh'], 65) && isKey(keys?.['auth'], 16);
}

function isTarget(url: string, config: Pick<NotifyConfig, 'PROFILE'>): boolean {
  try {
    targetOf(url, config);
    return true;
  } catch {
    return false;
  }
}

function isKey(value: unknown, bytes: number): boolean {
  return typeof value === 'string' && Buffer.from(value, 'base64url').length === bytes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
