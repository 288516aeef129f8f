import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import fc from 'fast-check';
import { decodedTarget, verifyCrmaSignature } from './crma-signature.js';

/** The example of the provider's documentation. */
const secret = new Secret('yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy');
const body = `{'example_field':'example_value'}`;
const vectors: readonly (readonly [string, string])[] = [
  ['1693657560000', 'K36dawei4A+QBNolUOqo7s91KQDWQ5MXZ/QufNYuk/Y='],
  ['1700000300000', 'RnbPH7+UMKVkbV32P8bz450N4M56aPmcru1+D3kSDtw='],
];
const refusal = expect.objectContaining({ reason: 'AUTHENTICATION_ERROR' });

interface Request {
  readonly timestamp: string;
  readonly signature: string;
  readonly target?: string;
  readonly raw?: Buffer;
  readonly method?: string;
  readonly prefix?: string;
  readonly nowMs?: number;
}

function verify({ timestamp, signature, prefix = 'x-crma', ...rest }: Request): string {
  const {
    target = '/webhook_uri',
    raw = Buffer.from(body),
    method = 'POST',
    nowMs = Number(timestamp),
  } = rest;
  const headers = { [`${prefix}-request-timestamp`]: timestamp, [`${prefix}-signature-v3`]: signature };
  return verifyCrmaSignature(
    secret,
    { method, origin: 'https://www.example.com', target, headers },
    raw,
    nowMs,
  );
}

describe('CRA-02 OPEN-38: the request signature v3', () => {
  it.each(vectors)('is that of the published example of %s', (timestamp, signature) => {
    expect(verify({ timestamp, signature })).toBe(signature);
    expect(verify({ timestamp, signature, prefix: 'x-hubspot' })).toBe(signature);
  });

  it('covers the URI after twelve escapes are decoded, once each', () => {
    const signed = verifyCrmaSignature(
      secret,
      {
        method: 'GET',
        origin: 'https://api.example.com',
        target: '/v1/apps/crma/files?userId=1&portalId=62515&userEmail=a%40b.com&appId=54321',
        headers: {
          'x-crma-request-timestamp': '1700000000000',
          'x-crma-signature-v3': 'bHnB/brjK9KjSADPfsWViR+vZHcjQAPxMVeT4Xp16CU=',
        },
      },
      Buffer.alloc(0),
      1_700_000_000_000,
    );
    expect(signed).toHaveLength(44);
    expect(decodedTarget('/a%3a%2F%3F%40%21%24%27%28%29%2A%2C%3B')).toBe(`/a:/?@!$'()*,;`);
    expect(decodedTarget('/a%20%26%3D%2B%25%2540')).toBe('/a%20%26%3D%2B%25%2540');
  });

  it.each([-300_001, 300_001])('is refused when its clock differs by %i ms', (difference) => {
    const [timestamp, signature] = vectors[0] as [string, string];
    expect(() => verify({ timestamp, signature, nowMs: Number(timestamp) + difference })).toThrow(refusal);
  });

  it.each(['', '1693657560', 'NaN', '1693657560000 '])('is refused with the timestamp %j', (timestamp) => {
    expect(() =>
      verify({ timestamp, signature: (vectors[0] as [string, string])[1], nowMs: 1_693_657_560_000 }),
    ).toThrow(refusal);
  });

  it('is refused while no client secret is set', () => {
    const timestamp = '1693657560000';
    const signature = createHmac('sha256', '').update(`POST/x${timestamp}`).digest('base64');
    const headers = { 'x-crma-request-timestamp': timestamp, 'x-crma-signature-v3': signature };
    const request = { method: 'POST', origin: '', target: '/x', headers };
    expect(() => verifyCrmaSignature(new Secret(''), request, Buffer.alloc(0), Number(timestamp))).toThrow(
      refusal,
    );
  });

  it('is refused for each of 10,000 changes of what it covers, and accepted for escapes of the same URI', () => {
    const [timestamp, signature] = vectors[0] as [string, string];
    const bytes = Buffer.from(body);
    const position = fc.nat({ max: bytes.length - 1 });
    const change = fc.oneof(
      fc.record({ at: position, xor: fc.integer({ min: 1, max: 255 }) }).map(({ at, xor }) => {
        const raw = Buffer.from(bytes);
        raw[at] = (raw[at] as number) ^ xor;
        return { raw };
      }),
      position.map((at) => ({ raw: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]) })),
      fc.string({ minLength: 1 }).map((text) => ({ target: `/webhook_uri?${encodeURIComponent(text)}` })),
      fc.constantFrom('GET', 'PUT', 'DELETE', 'post').map((method) => ({ method })),
      fc
        .integer({ min: -299_999, max: 299_999 })
        .filter((ms) => ms !== 0)
        .map((ms) => ({ timestamp: String(Number(timestamp) + ms), nowMs: Number(timestamp) })),
    );
    fc.assert(
      fc.property(change, (changed) => {
        expect(() => verify({ timestamp, signature, ...changed })).toThrow(refusal);
      }),
      { numRuns: 10_000 },
    );
    expect(verify({ timestamp, signature, target: '%2Fwebhook_uri' })).toBe(signature);
  });
});
