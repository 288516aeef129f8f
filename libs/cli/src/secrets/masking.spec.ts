import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { Masking } from './masking.js';

const MASK = '<concealed by vaultsvc>';
const masked = async (values: string[], parts: readonly (string | Buffer)[]) => {
  const chunks = parts.map((part) => Buffer.from(part as string));
  return buffer(Readable.from(chunks, { objectMode: false }).pipe(new Masking(values)));
};
const text = async (values: string[], ...parts: string[]) => (await masked(values, parts)).toString();

describe('the output of a program that has secrets', () => {
  const secret = 'hunter2-\u00e9';

  it('CLI-09: shows none of them, wherever its parts are split', async () => {
    const bytes = Buffer.from(`a ${secret}${secret} b hunter ${secret}`);
    for (let at = 0; at <= bytes.length; at++) {
      const out = await masked([secret], [bytes.subarray(0, at), bytes.subarray(at)]);
      expect(out.toString()).toBe(`a ${MASK}${MASK} b hunter ${MASK}`);
    }
    const single = [...bytes].map((byte) => Buffer.from([byte]));
    expect((await masked([secret], single)).toString()).toBe(`a ${MASK}${MASK} b hunter ${MASK}`);
  });

  it('CLI-09: shows no end of a value that begins with another value', async () => {
    for (const parts of [['xabcdefghy'], ['xabcd', 'efghy'], ['xabc', 'd', 'efgh', 'y']])
      expect(await text(['abcd', 'abcdefgh'], ...parts)).toBe(`x${MASK}y`);
    expect(await text(['abcd', 'abcdefgh'], 'abcd')).toBe(MASK);
    expect(await text(['abcd', 'abcdefgh'], 'abcdefg')).toBe(`${MASK}efg`);
  });

  it('CLI-09: shows no line of a value of several lines, nor a value without its last newline', async () => {
    expect(await text(['line one\nline two\n'], '| line one\n| line two\n')).toBe(`| ${MASK}\n| ${MASK}\n`);
    expect(await text(['secret\n'], 'secret;')).toBe(`${MASK};`);
  });

  it('CLI-09: is unchanged otherwise, byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    expect((await masked([secret, ''], [bytes.subarray(0, 100), bytes.subarray(100)])).equals(bytes)).toBe(
      true,
    );
    expect(await text(['1', 'yes'], '127.0.0.1 yes')).toBe('127.0.0.1 yes');
  });

  it('CLI-09: is written at once, unless its end may be the beginning of a value', async () => {
    const masking = new Masking([secret]);
    masking.write('Name: ');
    expect(String(masking.read())).toBe('Name: ');
    masking.write('hunt');
    expect(masking.read()).toBeNull();
    masking.write('ing');
    expect(String(masking.read())).toBe('hunting');
  });
});
