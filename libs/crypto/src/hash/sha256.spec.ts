import { describe, expect, it } from '@jest/globals';
import { HASH_BYTES, sha256 } from './index.js';

describe('sha256', () => {
  it('is SHA-256 of the bytes (FIPS 180-4, the example "abc")', () => {
    const hash = sha256(Buffer.from('abc'));
    expect(hash.toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hash).toHaveLength(HASH_BYTES);
  });
});
