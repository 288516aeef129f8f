import { describe, expect, it } from '@jest/globals';
import { createCipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { open, openWithNonce, seal, sealWithNonce, Tampered, UnknownFormat } from './index.js';

const hex = (text: string) => Buffer.from(text, 'hex');

const plaintext =
  'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72' +
  '1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255';
const ciphertext =
  '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa' +
  '8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad';
const feff = 'feffe9928665731c6d6a8f9467308308'.repeat(2);

/** The AES-256 cases with 96-bit nonces of the GCM specification that NIST published with SP 800-38D. */
const vectors = [
  {
    number: 13,
    key: '00'.repeat(32),
    nonce: '00'.repeat(12),
    aad: '',
    text: '',
    sealed: '',
    tag: '530f8afbc74536b9a963b4f1c4cb738b',
  },
  {
    number: 14,
    key: '00'.repeat(32),
    nonce: '00'.repeat(12),
    aad: '',
    text: '00'.repeat(16),
    sealed: 'cea7403d4d606b6e074ec5d3baf39d18',
    tag: 'd0d1c8a799996bf0265b98b5d48ab919',
  },
  {
    number: 15,
    key: feff,
    nonce: 'cafebabefacedbaddecaf888',
    aad: '',
    text: plaintext,
    sealed: ciphertext,
    tag: 'b094dac5d93471bdec1a502270e3cc6c',
  },
  {
    number: 16,
    key: feff,
    nonce: 'cafebabefacedbaddecaf888',
    aad: 'feedfacedeadbeeffeedfacedeadbeefabaddad2',
    text: plaintext.slice(0, 120),
    sealed: ciphertext.slice(0, 120),
    tag: '76fc6ece0f4e1768cddf8853bb2d551b',
  },
];

describe('AES-256-GCM', () => {
  it.each(vectors)('seals and opens GCM test case $number', ({ key, nonce, aad, text, sealed, tag }) => {
    expect(sealWithNonce(hex(key), hex(nonce), hex(aad), hex(text))).toEqual(hex(sealed + tag));
    expect(openWithNonce(hex(key), hex(nonce), hex(aad), hex(sealed + tag))).toEqual(hex(text));
  });

  const key = randomBytes(32);
  const aad = Buffer.from('aad');

  it('opens what it sealed, and never repeats a nonce', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
    const nonces = new Set<string>();
    fc.assert(
      fc.property(bytes, bytes, (text, data) => {
        const sealed = seal(key, data, text);
        nonces.add(sealed.subarray(0, 12).toString('hex'));
        expect(open(key, data, sealed)).toEqual(text);
      }),
      { numRuns: 500 },
    );
    expect(nonces.size).toBe(500);
  });

  it('refuses any changed bit', () => {
    const sealed = seal(key, aad, Buffer.from('attack at dawn'));
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const flipped = Buffer.from(sealed);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => open(key, aad, flipped)).toThrow(Tampered);
    }
  });

  it('refuses another key, other AAD, and missing or added bytes', () => {
    const sealed = seal(key, aad, Buffer.from('attack at dawn'));
    expect(() => open(randomBytes(32), aad, sealed)).toThrow(Tampered);
    expect(() => open(key, Buffer.from('AAD'), sealed)).toThrow(Tampered);
    expect(() => open(key, aad, Buffer.concat([sealed, Buffer.alloc(1)]))).toThrow(Tampered);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => open(key, aad, sealed.subarray(0, length))).toThrow(
        length < 28 ? UnknownFormat : Tampered,
      );
    }
  });

  it('refuses a tag of fewer than 16 bytes, which Node would accept by default', () => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 4 });
    const text = Buffer.concat([cipher.update('attack at dawn'), cipher.final()]);
    const sealed = Buffer.concat([text, cipher.getAuthTag()]);
    expect(() => openWithNonce(key, nonce, Buffer.alloc(0), sealed)).toThrow();
    expect(() => openWithNonce(key, nonce, Buffer.alloc(0), cipher.getAuthTag())).toThrow(UnknownFormat);
  });

  it('refuses nonces of other lengths', () => {
    for (const length of [0, 8, 11, 13, 16]) {
      expect(() => sealWithNonce(key, Buffer.alloc(length), aad, aad)).toThrow(UnknownFormat);
    }
  });

  it('refuses a key of other than 32 bytes', () => {
    for (const length of [0, 16, 31, 33])
      expect(() => seal(Buffer.alloc(length), aad, aad)).toThrow('Invalid key length');
  });
});
