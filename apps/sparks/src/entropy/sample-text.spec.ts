import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { alphabets, sampleText } from './entropy-formats.js';

/** A source that returns one list of bytes per draw and records the requested lengths and the drawn buffers. */
function feed(...lists: number[][]) {
  const requested: number[] = [];
  const drawn: Buffer[] = [];
  const draw = (bytes: number) => {
    const list = lists[requested.push(bytes) - 1];
    if (!list) throw new Error('nothing is left to draw');
    drawn.push(Buffer.from(list));
    return Promise.resolve(drawn.at(-1) as Buffer);
  };
  return { draw, requested, drawn };
}

describe('ENT-15: sampleText', () => {
  it('maps the same number of byte values to every character and rejects the others', async () => {
    for (const alphabet of Object.values(alphabets)) {
      const share = Math.floor(256 / alphabet.length);
      const all = Array.from({ length: 256 }, (_, byte) => byte);
      const text = await sampleText(alphabet, share * alphabet.length, feed(all).draw);
      for (const character of alphabet) expect(text.split(character)).toHaveLength(share + 1);
    }
  });

  it('draws again until the text is complete when all bytes are rejected', async () => {
    const { draw, requested } = feed([255, 254], [176, 200], [255, 0]);
    expect(await sampleText(alphabets.password, 1, draw)).toBe('A');
    expect(requested).toEqual([2, 2, 2]);
  });

  it('keeps accepted characters and draws for the missing ones', async () => {
    const { draw, requested } = feed([0, 255, 255, 255, 255, 255, 255, 255], [2, 255, 4, 6, 8, 10]);
    expect(await sampleText(alphabets.password, 4, draw)).toBe('ABCD');
    expect(requested).toEqual([8, 6]);
  });

  it('ENT-11: makes 10,000 passwords of one character, although one draw in ten is rejected', async () => {
    const made: string[] = [];
    let draws = 0;
    const draw = (bytes: number) => {
      draws += 1;
      return Promise.resolve(randomBytes(bytes));
    };
    while (made.length < 10_000) made.push(await sampleText(alphabets.password, 1, draw));
    expect(made.every((text) => text.length === 1)).toBe(true);
    expect(new Set(made).size).toBe(88);
    expect(draws).toBeGreaterThan(10_700);
    expect(draws).toBeLessThan(11_500);
  });

  it('draws twice as many bytes as characters, up to the maximum of key management', async () => {
    const { draw, requested } = feed(
      [...randomBytes(1_024)].map((byte) => byte % 250),
      Array(2_000).fill(0),
    );
    expect(await sampleText(alphabets.numeric, 1_024, draw)).toHaveLength(1_024);
    expect(requested).toEqual([1_024]);
  });

  it('TRAP 80: throws when a draw fails and returns no partial text', async () => {
    await expect(sampleText(alphabets.numeric, 2, feed([255, 255, 255, 255]).draw)).rejects.toThrow(
      'nothing',
    );
    await expect(sampleText(alphabets.numeric, 2, feed([1, 255, 255, 255]).draw)).rejects.toThrow('nothing');
  });

  it('MISC-03: wipes the bytes', async () => {
    const { draw, drawn } = feed([255, 254], [7, 7]);
    await sampleText(alphabets.numeric, 1, draw);
    expect(drawn).toEqual([Buffer.alloc(2), Buffer.alloc(2)]);
  });
});

describe('ENT-08 ENT-09 ENT-10 AMB-30 TRAP 79: alphabets', () => {
  const asSet = (text: string) => [...text].sort().join('');
  const letters = 'abcdefghijklmnopqrstuvwxyz';

  it.each([
    ['alphanumeric', 36, `0123456789${letters.toUpperCase()}`],
    ['alphanumeric-mixed', 62, `0123456789${letters}${letters.toUpperCase()}`],
    ['password', 88, `0123456789${letters}${letters.toUpperCase()}!@#$%^&*()_+-=[]{}|;:,.<>?`],
    ['numeric', 10, '0123456789'],
  ] as const)('%s has %i characters, each once', (format, size, characters) => {
    expect(alphabets[format]).toHaveLength(size);
    expect(new Set(alphabets[format]).size).toBe(size);
    expect(asSet(alphabets[format])).toBe(asSet(characters));
    expect(alphabets[format]).not.toContain('\\');
  });
});
