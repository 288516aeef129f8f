import type { Headers } from '@vaultsvc/http';
import type { CredentialRecord, Window } from '@vaultsvc/limits';

const NONE: Headers = [];
const WINDOW_SECONDS = 60;

/** The fields of draft-ietf-httpapi-ratelimit-headers; the partition is the account, else the caller's address. */
export function rateLimitHeaders(window: Window | undefined, record: CredentialRecord | null): Headers {
  if (!window) return NONE;
  const { limit, used, resetsAt, now } = window;
  const policy = record && record.kind !== 'identity' ? '"account"' : '"address"';
  return [
    'RateLimit-Policy',
    `${policy};q=${limit};w=${WINDOW_SECONDS}`,
    'RateLimit',
    `${policy};r=${Math.max(0, limit - used)};t=${Math.max(0, resetsAt - now)}`,
  ];
}
