import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { entropyFormats, type EntropyFormat } from '@vaultsvc/contracts/sparks';
import { uniformity } from '../testing/chi-square.js';
import { alphabets, formats } from './entropy-formats.js';

const SYMBOLS = 1_000_000;
/** Uniform symbols fall below this p-value once in a thousand samples; such a sample is drawn once more. */
const P_MIN = 0.001;
const HEX = '0123456789abcdef';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Generates random bytes in blocks: a call for each UUID would dominate the run time. */
const POOL_BYTES = 65_536;
let pool = Buffer.alloc(0);
const draw = async (bytes: number) => {
  if (pool.length < bytes) pool = randomBytes(POOL_BYTES);
  const drawn = pool.subarray(0, bytes);
  pool = pool.subarray(bytes);
  return drawn;
};

/** The symbols of a format, the `num_bytes` of each request, and the part of a value that consists of symbols. */
interface Sample {
  readonly symbols: string;
  readonly numBytes: number;
  readonly pick?: (value: string) => string;
}

/** The random digits of a UUID, without those of version and variant. */
const randomDigits = (uuid: string) => {
  const hex = uuid.replaceAll('-', '');
  return hex.slice(0, 12) + hex.slice(13, 16) + hex.slice(17);
};
const samples: Record<Exclude<EntropyFormat, 'bytes'>, Sample> = {
  hex: { symbols: HEX, numBytes: 1_024 },
  base64: { symbols: `${BASE64}+/`, numBytes: 1_023 },
  base64url: { symbols: `${BASE64}-_`, numBytes: 1_023 },
  alphanumeric: { symbols: alphabets.alphanumeric, numBytes: 512 },
  'alphanumeric-mixed': { symbols: alphabets['alphanumeric-mixed'], numBytes: 512 },
  password: { symbols: alphabets.password, numBytes: 512 },
  numeric: { symbols: alphabets.numeric, numBytes: 1_024 },
  uuid: { symbols: HEX, numBytes: 1, pick: randomDigits },
};

/** Counts a million symbols of a text format by character code. */
async function countCharacters(format: keyof typeof samples): Promise<number[]> {
  const { symbols, numBytes, pick = (value) => value } = samples[format];
  const counts = new Array<number>(128).fill(0);
  for (let counted = 0; counted < SYMBOLS;) {
    const text = pick((await formats[format].make(numBytes, draw)) as string);
    for (let index = 0; index < text.length; index += 1) counts[text.charCodeAt(index)]! += 1;
    counted += text.length;
  }
  const known = [...symbols].map((symbol) => counts[symbol.charCodeAt(0)]!);
  expect(sum(known)).toBe(sum(counts)); // No other symbol occurred.
  return known;
}

async function countBytes(): Promise<number[]> {
  const counts = new Array<number>(256).fill(0);
  for (let counted = 0; counted < SYMBOLS; counted += 1_024) {
    for (const byte of (await formats.bytes.make(1_024, draw)) as number[]) counts[byte]! += 1;
  }
  return counts;
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
const count = (format: EntropyFormat) => (format === 'bytes' ? countBytes() : countCharacters(format));

describe('ENT-15: entropy', () => {
  it.each(entropyFormats)('in the format %s has a million uniformly distributed symbols', async (format) => {
    const first = uniformity(await count(format));
    const p = first > P_MIN ? first : uniformity(await count(format));
    expect(p).toBeGreaterThan(P_MIN);
  });

  it('ENT-12: has uniformly distributed bits in the variant digit of a hundred thousand UUIDs', async () => {
    const counts = [0, 0, 0, 0];
    for (let made = 0; made < SYMBOLS / 10; made += 1) {
      const uuid = (await formats.uuid.make(16, draw)) as string;
      counts['89ab'.indexOf(uuid.charAt(19))]! += 1;
    }
    expect(sum(counts)).toBe(SYMBOLS / 10);
    expect(uniformity(counts)).toBeGreaterThan(P_MIN / 1_000);
  });

  it.each(Object.entries(alphabets))(
    'a control: the same test detects the bias of byte modulo size for %s',
    (_, { length: size }) => {
      const counts = new Array<number>(size).fill(0);
      for (const byte of randomBytes(SYMBOLS)) counts[byte % size]! += 1;
      expect(uniformity(counts)).toBeLessThan(1e-9);
    },
  );
});
