import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { operations } from '../catalog/index.js';
import type { PublicOperation } from './operation.js';
import { schemaOf, type JsonSchema } from './schema.js';
import { assertStructure, STRUCTURAL_CHARACTERS_MAX } from './structural-characters.js';

const MAX = 10;
/** As long as the limit, so that the text is looked at. */
const check = (text: string) => () => assertStructure(Buffer.from(text.padEnd(MAX + 1)), MAX);
const refused = expect.objectContaining({
  code: 'VALIDATION_ERROR',
  details: {
    fields: [{ field: '', message: 'must have at most 10 of the characters { [ : , outside strings' }],
  },
});

describe('OPEN-06 ENV-20: assertStructure', () => {
  it.each([
    ['numbers', `[${'1,'.repeat(9)}1]`, `[${'1,'.repeat(10)}1]`],
    ['objects', '[{},{},{},{},{},1]'.slice(0, -4) + ']', '[{},{},{},{},{},{}]'],
    ['members', '{"a":1,"b":1,"c":1,"d":1,"e":1}', '{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}'],
    ['nesting', `${'['.repeat(10)}${']'.repeat(10)}`, `${'['.repeat(11)}${']'.repeat(11)}`],
  ])('counts the characters that separate and open values: %s', (_, allowed, over) => {
    expect(check(allowed)).not.toThrow();
    expect(check(over)).toThrow(refused);
  });

  it('allows 8,192 where an operation says nothing', () => {
    const listOf = (count: number) => Buffer.from(`[${'1,'.repeat(count - 1)}1]`);
    expect(() => assertStructure(listOf(8_192))).not.toThrow();
    expect(() => assertStructure(listOf(8_193))).toThrow('8,192');
  });

  it.each([
    ['plain', '{[:,'.repeat(9)],
    ['after an escaped quote', '\\"{[:,\\"{[:,\\",,,,,,,,'],
    ['after an escaped backslash and quote', '\\\\\\",,,,,,,,,,,'],
    ['after a quote as a code point', '\\u0022,,,,,,,,,,,'],
    ['after characters of several bytes', '𝄞é鍵,,,,,,,,,,,'],
  ])('does not count characters in a string: %s', (_, content) => {
    expect(check(`{"a":"${content}"}`)).not.toThrow();
    expect(() => JSON.parse(`{"a":"${content}"}`)).not.toThrow();
  });

  it('counts after a string again: one that ends in an escaped backslash, and an empty one', () => {
    expect(check(`["\\\\",${'1,'.repeat(9)}1]`)).toThrow(refused);
    expect(check(`["",${'1,'.repeat(9)}1]`)).toThrow(refused);
  });

  it('leaves a text that is not JSON to the parser', () => {
    for (const text of ['"', '"\\', '\\"{{{', '"aaaaaaaaaaaaaaaa\\']) expect(check(text)).not.toThrow();
  });

  it('counts exactly in any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 2 }), (value, indentation) => {
        const json = Buffer.from(JSON.stringify(value, null, indentation));
        const count = structureOf(value);
        // Blanks keep a short text from being passed for its length.
        const padded = Buffer.concat([json, Buffer.alloc(count + 1, ' ')]);
        expect(() => assertStructure(padded, count)).not.toThrow();
        if (count > 0) expect(() => assertStructure(padded, count - 1)).toThrow();
      }),
      { numRuns: 2_000 },
    );
  });
});

/** One for the opening of each list and object, one for each colon, and one between two members. */
function structureOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  const colons = Array.isArray(value) ? 0 : members.length;
  return members.reduce<number>(
    (sum, member) => sum + structureOf(member),
    1 + colons + Math.max(0, members.length - 1),
  );
}

describe('the contract of an operation', () => {
  const withBody = operations.filter(({ body }) => body !== undefined);

  it.each(withBody.map((op) => [op.name, op] as const))('OPEN-06: %s allows its largest body', (_, op) => {
    const { structuralCharactersMax = STRUCTURAL_CHARACTERS_MAX } = op;
    expect(mostOf(schemaOf(op.body as NonNullable<PublicOperation['body']>))).toBeLessThanOrEqual(
      structuralCharactersMax,
    );
  });
});

/** The structural characters of the largest value that a schema allows, with plain values where it allows any. */
function mostOf({ type, items, maxItems, properties, maxProperties }: JsonSchema): number {
  const [base] = [type ?? []].flat();
  if (base === 'array') return 1 + (maxItems as number) * (1 + mostOf(items ?? {}));
  if (maxProperties !== undefined) return 1 + maxProperties * 2;
  const members = Object.values(properties ?? {});
  return members.reduce((sum, member) => sum + 2 + mostOf(member), members.length > 0 ? 1 : 0);
}
