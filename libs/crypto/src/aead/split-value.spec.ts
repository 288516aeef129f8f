import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import {
  isSplitHalf,
  openSplit,
  sealSplit,
  Tampered,
  UnknownFormat,
  WrongKey,
  type SealContext,
} from './index.js';

const secret = randomBytes(32);
const context: SealContext = {
  label: 'vk/v1/spark-content',
  ids: ['acc_A', 'spk_A'],
  attributes: ['text/plain', ''],
};
const plaintext = Buffer.from('attack at dawn');
const value = sealSplit(secret, context, plaintext);

describe('SPK-50: A value sealed under a secret and a half of its own', () => {
  it('opens to its plaintext of any length, empty included', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000, size: 'large' }), (bytes) => {
        const split = sealSplit(secret, context, Buffer.from(bytes));
        expect([split.half.length, split.sealed.length]).toEqual([37, bytes.length + 60]);
        expect(openSplit(secret, context, split).equals(bytes)).toBe(true);
      }),
    );
  });

  it('MISC-03: contains nothing of the plaintext and differs each time, in both parts', () => {
    const again = sealSplit(secret, context, plaintext);
    expect(value.sealed.includes(plaintext)).toBe(false);
    expect(again.half).not.toEqual(value.half);
    expect(again.sealed).not.toEqual(value.sealed);
  });

  it('does not open with another secret, another half, another label or other ids', () => {
    const { half } = sealSplit(secret, context, plaintext);
    const opening = [
      () => openSplit(randomBytes(32), context, value),
      () => openSplit(secret, context, { ...value, half }),
      () => openSplit(secret, { ...context, label: 'vk/v1/spark-dek' }, value),
      () => openSplit(secret, { ...context, ids: ['acc_A', 'spk_B'] }, value),
      () => openSplit(secret, { ...context, ids: ['acc_A'] }, value),
    ];
    for (const open of opening) expect(open).toThrow(WrongKey);
  });

  it('does not open with other attributes', () => {
    for (const attributes of [['text/html', ''], ['text/plain', 'x'], ['text/plain'], []])
      expect(() => openSplit(secret, { ...context, attributes }, value)).toThrow(Tampered);
  });

  it('is refused with any changed byte and at any other length of either part', () => {
    for (const part of ['half', 'sealed'] as const)
      for (let index = 0; index < value[part].length; index += 1) {
        const flipped = Buffer.from(value[part]);
        flipped.writeUInt8(flipped.readUInt8(index) ^ 0x80, index);
        const expected =
          part === 'half' ? (index < 5 ? UnknownFormat : WrongKey) : index < 32 ? WrongKey : Tampered;
        expect(() => openSplit(secret, context, { ...value, [part]: flipped })).toThrow(expected);
        expect(() =>
          openSplit(secret, context, { ...value, [part]: value[part].subarray(0, index) }),
        ).toThrow();
        expect(() =>
          openSplit(secret, context, { ...value, [part]: Buffer.concat([value[part], Buffer.alloc(1)]) }),
        ).toThrow();
      }
  });

  it('is recognized by the first bytes of its half', () => {
    expect(isSplitHalf(value.half)).toBe(true);
    for (const other of [value.sealed, Buffer.alloc(0), value.half.subarray(0, 4), randomBytes(37)])
      expect(isSplitHalf(other)).toBe(false);
  });
});
