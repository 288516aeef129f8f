import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { entropyFormats } from '@vaultsvc/contracts/sparks';
import { formats } from './entropy-formats.js';

describe('MISC-03: the drawn bytes', () => {
  it.each(entropyFormats)('are wiped after a value of format %s is written', async (format) => {
    const drawn: Buffer[] = [];
    const draw = (bytes: number) => Promise.resolve(drawn[drawn.push(randomBytes(bytes)) - 1] as Buffer);
    await formats[format].make(64, draw);
    expect(drawn.length).toBeGreaterThan(0);
    for (const buffer of drawn) expect(buffer.equals(Buffer.alloc(buffer.length))).toBe(true);
  });

  it.each(['hex', 'base64', 'base64url', 'bytes', 'uuid'] as const)(
    'ENT-16: are exactly those that a value of format %s encodes, in one draw',
    async (format) => {
      const requested: number[] = [];
      const draw = (bytes: number) =>
        Promise.resolve(randomBytes(requested[requested.push(bytes) - 1] as number));
      await formats[format].make(200, draw);
      expect(requested).toEqual([format === 'uuid' ? 16 : 200]);
    },
  );
});
