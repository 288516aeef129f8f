import { newId, shardOf } from '@vaultsvc/crypto/encoding';
import type { ApiResponse } from '@vaultsvc/testing/http';

/** An id of the same kind that does not exist. */
export function unknownIdLike(id: string): string {
  const [, prefix] = /^([a-z]+_)[0-9A-Za-z]{22}(?:[0-9A-Za-z]{2})?$/.exec(id) ?? [];
  return prefix
    ? newId(prefix as `${string}_`, shardOf(id))
    : `${newId('d_').slice(2).toLowerCase()}.example`;
}

/** Malformed variants of an id: truncated, extended, of another kind, or with input that attacks parsers and file systems. */
export function malformedIdsLike(id: string): string[] {
  const swapped = id.startsWith('usr_') ? newId('key_') : newId('usr_');
  const nasty = [
    '0',
    'null',
    '*',
    '%',
    "' OR 1=1 --",
    '\u0000',
    '\u202e',
    'é',
    '..',
    '../../v1/account',
    'a b',
  ];
  return [
    id.slice(0, -1),
    `${id}0`,
    `${id}zz`,
    `${id} `,
    id.toUpperCase(),
    swapped,
    ...nasty,
    'x'.repeat(2_000),
  ];
}

/** The parts of an answer that a caller can compare, without request id, date, rate limit and timing. */
export function comparableAnswer({ status, headers, body }: ApiResponse): object {
  const { date: _date, 'x-request-id': _id, ratelimit: _limit, ...rest } = headers;
  const text = body
    .toString()
    .replace(/"request_id":"[^"]*"/, '"request_id":""')
    .replace(/"response_ms":\d+/, '"response_ms":0')
    .replace(/"timestamp":\d+/, '"timestamp":0');
  return { status, headers: rest, text };
}
