import { describe, expect, it } from '@jest/globals';
import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { hmacSha256 } from './hmac-sha256.js';
import { wipedBy } from '@vaultsvc/testing/wiping';

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

  it('takes a key of one block, 64 bytes, as it is (RFC 2104, section 2)', () => {
    const key = Buffer.alloc(64, 0xaa);
    expect(hmacSha256(key, ascii('text'))).toEqual(createHmac('sha256', key).update('text').digest());
  });

  it('wipes the padded key and the inner digest', () => {
    const key = Buffer.alloc(64, 0xaa);
    const padded = (pad: number) => Buffer.alloc(64, 0xaa ^ pad);
    const inner = createHash('sha256').update(padded(0x36)).update('text').digest();
    const wiped = wipedBy(() => hmacSha256(key, ascii('text')));
    expect(wiped).toContain(Buffer.concat([padded(0x36), ascii('text')]).toString('hex'));
    expect(wiped).toContain(Buffer.concat([padded(0x5c), inner]).toString('hex'));
    expect(wiped).toContain(inner.toString('hex'));
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
