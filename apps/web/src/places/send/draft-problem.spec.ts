import { describe, expect, it } from '@jest/globals';
import { problemOf } from './draft-problem.js';
import type { Draft } from './draft.js';

const draft: Draft = {
  kind: 'text',
  text: 'secret',
  address: '',
  file: undefined,
  lifetime: '1440',
  audience: 'public',
  recipient: '',
  boundIp: '',
  result: undefined,
};
const fieldOf = (change: Partial<Draft>) => problemOf({ ...draft, ...change })?.field;
const file = (bytes: number) => new File([new Uint8Array(bytes)], 'key.bin');

describe('A draft', () => {
  it('SPK-02: has at most 256,000 bytes of UTF-8', () => {
    expect(fieldOf({ text: 'x'.repeat(256_000) })).toBeUndefined();
    expect(fieldOf({ text: 'x'.repeat(256_001) })).toBe('text');
    expect(fieldOf({ text: 'ä'.repeat(128_001) })).toBe('text');
  });

  it('SPK-02: has a file of which base64 makes at most 256,000 characters', () => {
    expect(fieldOf({ kind: 'file', file: file(192_000) })).toBeUndefined();
    expect(fieldOf({ kind: 'file', file: file(192_001) })).toBe('file');
    expect(fieldOf({ kind: 'file' })).toBe('file');
  });

  it('may be nothing but spaces, and is not empty', () => {
    expect(fieldOf({ text: ' ' })).toBeUndefined();
    expect(fieldOf({ text: '' })).toBe('text');
  });

  it.each([
    ['https://example.com/a?b=c', undefined],
    ['HTTP://example.com', undefined],
    ['example.com', 'address'],
    ['javascript:alert(1)', 'address'],
    ['https://', 'address'],
  ])('has an address of the web: %s', (address, field) => {
    expect(fieldOf({ kind: 'link', address })).toBe(field);
  });

  it('SPK-40: for one person names who that is', () => {
    expect(fieldOf({ audience: 'invite_only' })).toBe('recipient');
    expect(fieldOf({ audience: 'invite_only', recipient: 'ann@example.com' })).toBeUndefined();
    expect(fieldOf({ audience: 'invite_only', recipient: ' +43 660 123 45 67' })).toBeUndefined();
    expect(fieldOf({ audience: 'invite_only', recipient: 'nonsense' })).toBe('recipient');
    expect(fieldOf({ audience: 'invite_only', recipient: '0660 1234567' })).toBe('recipient');
  });
});
