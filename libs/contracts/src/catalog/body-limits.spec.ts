import { describe, expect, it } from '@jest/globals';
import { operations } from './index.js';

const KIB = 1_024;
const MIB = 1_048_576;

/** The first one that fits a route counts. */
const limits: readonly [route: RegExp, bytes: number][] = [
  [/^(POST|PATCH) \/v1\/products\/structured-ingots\/[^/]+(\/[^/]+)?$/, 7 * MIB],
  [/^POST \/v1\/(apps|billing)\/.*\bwebhooks\//, MIB],
  [/^POST \/v1\/(auth\/.*|invitations\/[^/]+\/accept)$/, 64 * KIB],
  [/^POST \/\{link_code\}\/interact$/, 64 * KIB],
  [/^POST \/\{link_code\}\/passkey\/verify$/, 32 * KIB],
  [/^POST \/(\{link_code\}\/.*|v1\/files\/[^/]+\/open)$/, 4 * KIB],
  [/^/, 2 * MIB],
];

/** Webhooks receive bytes, without a class. */
const withBody = operations.filter(
  ({ body, bodyBytesMax }) => body !== undefined || bodyBytesMax !== undefined,
);

describe('OPEN-06: the longest body', () => {
  it.each(withBody.map(({ http, bodyBytesMax }) => [`${http.method} ${http.path}`, bodyBytesMax]))(
    'of %s',
    (route, bodyBytesMax = 2 * MIB) => {
      const [, bytes] = limits.find(([pattern]) => pattern.test(String(route))) ?? [];
      expect(bodyBytesMax).toBe(bytes);
    },
  );
});
