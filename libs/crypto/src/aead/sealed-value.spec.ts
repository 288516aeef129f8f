import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import {
  openContent,
  sealContent,
  SEALED_OVERHEAD_BYTES,
  Tampered,
  UnknownFormat,
  WrongKey,
} from './index.js';

const key = randomBytes(32);
const fields = ['acc_A', 'spk_A', 'text/plain'];
const secret = Buffer.from('attack at dawn');
const sealed = sealContent(key, 'vk/v1/spark-dek', fields, secret);
const unseal = (bytes: Buffer, context = fields) => openContent(key, 'vk/v1/spark-dek', context, bytes);

describe('SPK-50: Sealed content', () => {
  it('opens to its plaintext of any length, empty included', () => {
    const text = fc.uint8Array({ maxLength: 3_000, size: 'large' }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(text, fc.array(fc.string(), { maxLength: 4 }), (plaintext, context) => {
        const bytes = sealContent(key, 'vk/v1/spark-dek', context, plaintext);
        expect(bytes).toHaveLength(plaintext.length + SEALED_OVERHEAD_BYTES);
        expect(unseal(bytes, context).equals(plaintext)).toBe(true);
      }),
    );
    const large = randomBytes(256_000);
    expect(unseal(sealContent(key, 'vk/v1/spark-dek', fields, large)).equals(large)).toBe(true);
  });

  it('MISC-03: contains nothing of the plaintext and differs each time', () => {
    expect(sealed.includes(secret)).toBe(false);
    expect(sealContent(key, 'vk/v1/spark-dek', fields, secret)).not.toEqual(sealed);
  });

  it('is refused with another key, label or other fields', () => {
    expect(() => openContent(randomBytes(32), 'vk/v1/spark-dek', fields, sealed)).toThrow(WrongKey);
    expect(() => openContent(key, 'vk/v1/sealed/links', fields, sealed)).toThrow(WrongKey);
    for (const swapped of [
      ['acc_B', 'spk_A', 'text/plain'],
      ['acc_A', 'spk_B', 'text/plain'],
      fields.slice(1),
      [...fields, ''],
      [],
    ]) {
      expect(() => unseal(sealed, swapped)).toThrow(WrongKey);
    }
  });

  it('is refused with any changed byte and at any other length', () => {
    for (let index = 0; index < sealed.length; index += 1) {
      const flipped = Buffer.from(sealed);
      flipped.writeUInt8(flipped.readUInt8(index) ^ 0x80, index);
      expect(() => unseal(flipped)).toThrow(index < 5 ? UnknownFormat : index < 69 ? WrongKey : Tampered);
      expect(() => unseal(sealed.subarray(0, index))).toThrow();
    }
    expect(() => unseal(Buffer.concat([sealed, Buffer.alloc(1)]))).toThrow(Tampered);
  });
});
