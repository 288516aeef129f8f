import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { hmacSha256 } from './hmac-sha256.js';

const ascii = (text: string) => Buffer.from(text, 'latin1');

describe('HMAC-SHA-256', () => {
  it('matches test cases 2 and 6 of RFC 4231: a short key, and one longer than a block', () => {
    expect(hmacSha256(ascii('Jefe'), ascii('what do ya want '), ascii('for nothing?')).toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
    const text = ascii('Test Using Larger Than Block-Size Key - Hash Key First');
    expect(hmacSha256(Buffer.alloc(131, 0xaa), text).toString('hex')).toBe(
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    );
  });

  it("returns the same as Node's createHmac for any key and parts", () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(bytes, fc.array(bytes, { maxLength: 4 }), (key, parts) => {
        const expected = createHmac('sha256', key).update(Buffer.concat(parts)).digest();
        expect(hmacSha256(key, ...parts)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});
