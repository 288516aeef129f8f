import { describe, expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { operations } from '../catalog/index.js';
import { instantiate } from './decode.js';
import { Int, ListOf, Nested, TextList } from './fields.js';
import { fieldsOf, type Class } from './schema.js';
import { validateInstance } from './validate-instance.js';

/** The errors of class-validator itself, by which every rule is judged. */
const judged = (instance: object) => validateSync(instance, { forbidUnknownValues: false });
const linesOf = (errors: unknown[]) => JSON.stringify(errors);

/** Every class of a call or an answer, nested ones too. */
const classes = [
  ...new Set(operations.flatMap(({ params, query, body, reply }) => below([params, query, body, reply]))),
];

function below(types: readonly unknown[], seen = new Set<Class>()): Class[] {
  for (const type of types) {
    if (typeof type !== 'function' || seen.has(type as Class)) continue;
    seen.add(type as Class);
    for (const { nested } of fieldsOf(type as Class).values()) below([nested?.()], seen);
  }
  return [...seen];
}

/** Texts and numbers that some rule accepts, beside those that none does. */
const likely = fc.constantFrom<unknown>(
  'spk_0123456789ABCDEFabcdef',
  'ann@example.com',
  'https://example.com/a',
  'active',
  'a name',
  '',
  '\0',
  '\ud800',
  true,
  1,
  60,
  1_700_000_000,
  null,
);
const values = fc.oneof(
  { weight: 4, arbitrary: likely },
  fc.jsonValue({ maxDepth: 2 }),
  fc.array(likely, { maxLength: 3 }),
);

function valueOf(type: Class, depth = 0): fc.Arbitrary<object> {
  const members = [...fieldsOf(type)].map(([name, { nested }]) => {
    if (!nested || depth > 2) return [name, values] as const;
    const inner = valueOf(nested(), depth + 1);
    return [name, fc.oneof(inner, fc.array(fc.oneof(inner, likely), { maxLength: 2 }), values)] as const;
  });
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
}

class Item {
  @Int() count: number;
}
class Order {
  @ListOf(() => Item, { optional: true }) items?: Item[];
  @Nested(() => Item, { optional: true }) item?: Item;
  @TextList({ max: 2, maxItems: 2, optional: true }) texts?: string[];
}

describe('ENV-20: the rules of a class and of those in it', () => {
  const [right, wrong] = [{ count: 1 }, { count: 'x' }];

  it.each([
    {},
    { items: [] },
    { items: [right, right] },
    { item: right },
    { texts: ['a', 'b'] },
    { items: [right], item: undefined },
  ])('find nothing in %j', (raw) => expect(validateInstance(instantiate(Order, raw))).toEqual([]));

  it.each([
    [{ items: [right, wrong] }, 'items'],
    [{ items: [wrong, right] }, 'items'],
    [{ items: [null] }, 'items'],
    [{ items: [right, 5] }, 'items'],
    [{ items: [[5]] }, 'items'],
    [{ items: [[]] }, 'items'],
    [{ items: [[right]] }, 'items'],
    [{ items: [[{ constructor: null }]] }, 'items'],
    [{ items: null }, 'items'],
    [{ items: right }, 'items'],
    [{ item: null }, 'item'],
    [{ item: wrong }, 'item'],
    [{ item: [right] }, 'item'],
    [{ item: 5 }, 'item'],
    [{ texts: ['a', 5] }, 'texts'],
    [{ texts: ['abc', 'a'] }, 'texts'],
    [{ texts: ['a', 'b', 'c'] }, 'texts'],
  ])('find in %j what is wrong with %s', (raw, field) => {
    const instance = instantiate(Order, raw);
    expect(validateInstance(instance).map(({ property }) => property)).toEqual([field]);
    expect(linesOf(validateInstance(instance))).toBe(linesOf(judged(instance)));
  });
});

describe('ENV-20: the rules of contracts', () => {
  it('are those of all operations', () => expect(classes.length).toBeGreaterThan(200));

  it.each(classes.map((type) => [type.name, type] as const))(
    'of %s find what class-validator finds, in its words',
    (_, type) => {
      fc.assert(
        fc.property(valueOf(type), (raw) => {
          const instance = instantiate(type, raw);
          expect(linesOf(validateInstance(instance))).toBe(linesOf(judged(instance)));
        }),
        { numRuns: 10 },
      );
    },
  );

  /** JSON whose objects no operator and no template can convert. */
  const odd = JSON.parse(
    '{"toString":null,"valueOf":null,"constructor":null,"length":-1,"__proto__":null}',
  ) as object;

  it.each(classes.map((type) => [type.name, type] as const))(
    'of %s judge objects without a text, and do not throw',
    (_, type) => {
      for (const value of [odd, [odd], [odd, odd, odd], [[odd], [odd]], { a: odd }, [1, odd, 1]]) {
        const instance = instantiate(
          type,
          Object.fromEntries([...fieldsOf(type).keys()].map((name) => [name, value])),
        );
        expect(linesOf(validateInstance(instance))).toBe(linesOf(judged(instance)));
      }
    },
  );
});
