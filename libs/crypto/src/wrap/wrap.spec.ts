import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { type Label, Tampered, UnknownFormat, unwrapKey, wrapKey, wrapKid, WrongKey } from './index.js';

const label: Label = 'vk/v1/vault-key/vat';
const ids = ['acc_A', 'vlt_A'];
const attributes = ['vat_A', 'read', 'vmk', '2026-11-21T07:00:00.000Z', '2026-11-22T07:00:00.000Z', '0'];
const token = randomBytes(32);
const vaultKey = randomBytes(32);
const blob = wrapKey(token, label, ids, attributes, vaultKey);
const unwrap = (bytes: Buffer, key: Buffer = token) => unwrapKey(key, label, ids, attributes, bytes);

function flip(bytes: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return flipped;
}

describe('MISC-03: A wrapped key', () => {
  it('has 129 bytes, contains nothing of the key, and differs each time', () => {
    expect(blob).toHaveLength(129);
    expect(blob.includes(vaultKey) || blob.includes(token)).toBe(false);
    expect(wrapKey(token, label, ids, attributes, vaultKey)).not.toEqual(blob);
  });

  it('unwraps with the same secret, label, ids and attributes', () => {
    const texts = fc.array(fc.string(), { maxLength: 4 });
    fc.assert(
      fc.property(texts, texts, fc.integer({ min: 0, max: 255 }), (anyIds, anyAttributes, kid) => {
        const wrapped = wrapKey(token, label, anyIds, anyAttributes, vaultKey, { kid });
        expect(wrapKid(wrapped)).toBe(kid);
        expect(unwrapKey(token, label, anyIds, anyAttributes, wrapped, { kid })).toEqual(vaultKey);
      }),
    );
  });

  it('throws WrongKey for another secret, before decrypting', () => {
    for (let bit = 0; bit < 256; bit += 1) expect(() => unwrap(blob, flip(token, bit))).toThrow(WrongKey);
  });

  it('is refused for another account, vault, label or kid', () => {
    expect(() => unwrapKey(token, label, ['acc_B', 'vlt_A'], attributes, blob)).toThrow(WrongKey);
    expect(() => unwrapKey(token, label, ['acc_A', 'vlt_B'], attributes, blob)).toThrow(WrongKey);
    expect(() => unwrapKey(token, label, ['vlt_A', 'acc_A'], attributes, blob)).toThrow(WrongKey);
    expect(() => unwrapKey(token, 'vk/v1/vault-key/dvak', ids, attributes, blob)).toThrow(WrongKey);
    expect(() => unwrapKey(token, label, ids, attributes, blob, { kid: 1 })).toThrow(UnknownFormat);
  });

  it('is refused with changed attributes: read made read_write, a later expiry, a missing or added field', () => {
    attributes.forEach((_, index) => {
      const changed = attributes.with(index, `${attributes[index]}_`);
      expect(() => unwrapKey(token, label, ids, changed, blob)).toThrow(Tampered);
    });
    for (const changed of [attributes.slice(1), attributes.slice(0, -1), [...attributes, ''], []]) {
      expect(() => unwrapKey(token, label, ids, changed, blob)).toThrow(Tampered);
    }
  });

  it('is refused when a field moves between ids and attributes', () => {
    expect(() => unwrapKey(token, label, [...ids, 'vat_A'], attributes.slice(1), blob)).toThrow(WrongKey);
  });

  it('is refused with any changed bit, with the error of its region', () => {
    for (let bit = 0; bit < blob.length * 8; bit += 1) {
      const byte = bit >> 3;
      const expected = byte < 5 ? UnknownFormat : byte < 69 ? WrongKey : Tampered;
      expect(() => unwrap(flip(blob, bit))).toThrow(expected);
    }
  });

  it('is refused at any other length, so no tag is ever truncated', () => {
    for (let length = 0; length < 129; length += 1) {
      expect(() => unwrap(blob.subarray(0, length))).toThrow(UnknownFormat);
    }
    expect(() => unwrap(Buffer.concat([blob, Buffer.alloc(1)]))).toThrow(UnknownFormat);
    expect(() => wrapKid(blob.subarray(1))).toThrow(UnknownFormat);
  });

  it('is refused with any region of another wrap of the same key', () => {
    const other = wrapKey(token, label, ids, attributes, vaultKey);
    for (const [from, to] of [
      [5, 37],
      [37, 69],
      [69, 81],
      [81, 113],
      [113, 129],
    ] as const) {
      const mixed = Buffer.concat([blob.subarray(0, from), other.subarray(from, to), blob.subarray(to)]);
      expect(() => unwrap(mixed)).toThrow();
    }
  });

  it('is made from 32-byte keys and one-byte kids only', () => {
    expect(() => wrapKey(token, label, ids, attributes, Buffer.alloc(16))).toThrow(RangeError);
    expect(() => wrapKey(token, label, ids, attributes, vaultKey, { kid: 256 })).toThrow('out of range');
  });

  it('throws errors without bytes of key, secret or blob', () => {
    for (const bytes of [flip(blob, 0), flip(blob, 300), flip(blob, 700)]) {
      expect(() => unwrap(bytes)).toThrow(
        /^The (key does not belong to this sealed value|sealed value (was changed|has an unknown format))$/,
      );
    }
  });
});
