import { describe, expect, it } from '@jest/globals';
import { Ed25519Signer, Ed25519Verifier } from './index.js';

const hex = (text: string) => Buffer.from(text, 'hex');

/** RFC 8032, section 7.1, TEST 2. */
const PRIVATE = hex('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb');
const PUBLIC = hex('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c');
const SIGNATURE = hex(
  '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
);
const signer = new Ed25519Signer(PRIVATE);
const verifier = new Ed25519Verifier(PUBLIC);

describe('Ed25519', () => {
  it('derives the public key and signs as RFC 8032 does', () => {
    expect(signer.publicKey).toEqual(PUBLIC);
    expect(signer.sign(Buffer.of(0x72))).toEqual(SIGNATURE);
    expect(verifier.verify(Buffer.of(0x72), SIGNATURE)).toBe(true);
  });

  it('refuses other bytes, another signature and one of another length', () => {
    expect(verifier.verify(Buffer.of(0x73), SIGNATURE)).toBe(false);
    for (const broken of [Buffer.alloc(64), SIGNATURE.subarray(1), Buffer.concat([SIGNATURE, Buffer.of(0)])])
      expect(verifier.verify(Buffer.of(0x72), broken)).toBe(false);
  });

  it('has keys of 32 bytes', () => {
    const refusal = new RangeError('An Ed25519 key has 32 bytes');
    for (const key of [Buffer.alloc(31), Buffer.alloc(33)]) {
      expect(() => new Ed25519Signer(key)).toThrow(refusal);
      expect(() => new Ed25519Verifier(key)).toThrow(refusal);
    }
  });
});
