import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { operations } from '../catalog/index.js';
import { Closed, operation, JsonObject, ListOf, Nested, Text } from '../index.js';
import { undeclaredNames } from './undeclared-names.js';

class Person {
  @Text({ max: 9 }) email: string;
}
class Query {
  @Text({ max: 9, optional: true }) colour?: string;
}
class Body {
  @Text({ max: 9 }) text: string;
  @Nested(() => Person) owner: Person;
  @ListOf(() => Person) people: Person[];
  @JsonObject({ bytesMax: 99 }) free: object;
}
@Closed()
class ClosedBody {
  @Text({ max: 9 }) text: string;
}
const spec = {
  name: 'widgets.make',
  summary: '',
  http: { method: 'POST', path: '/v1/widgets', status: 204 },
  access: { credential: 'none' },
} as const;
const full = operation({ ...spec, query: Query, body: Body });
const bare = operation(spec);

const namesIn = (value: unknown, query = '', op: Parameters<typeof undeclaredNames>[0] = full) =>
  undeclaredNames(op, new URLSearchParams(query), value);

describe('AMB-51: the names that a call has and its contract does not', () => {
  it('are undefined for a call without such names', () => {
    const person = { email: 'a' };
    expect(
      namesIn({ text: 'a', owner: person, people: [person], free: { any: { thing: 1 } } }, 'colour=red'),
    ).toBeUndefined();
    expect(namesIn({})).toBeUndefined();
  });

  it('are those of the query, then of the body, nested ones with their path', () => {
    const body = { ttl: 1, owner: { nmae: 1 }, people: [{ email: 'a' }, { emial: 'b' }], free: { any: 1 } };
    expect(namesIn(body, 'color=red&colour=red&color=blue')).toBe('color, ttl, owner.nmae, people.1.emial');
  });

  it('are all parameters of an operation without a query', () => {
    expect(namesIn(undefined, 'a=1&b=2', bare)).toBe('a, b');
  });

  it('include names of the prototype, and skip values that are no objects', () => {
    const body: unknown = JSON.parse(
      '{"__proto__":1,"constructor":1,"owner":5,"people":[null,"a",[{"x":1}]]}',
    );
    expect(namesIn(body)).toBe('__proto__, constructor, people.2.0');
    for (const value of [null, 5, 'text', undefined]) expect(namesIn(value)).toBeUndefined();
  });

  it('AUTH-03: are none of a body that refuses them, and of a webhook, whose contract is the provider’s', () => {
    expect(namesIn({ more: 1 }, '', operation({ ...spec, body: ClosedBody }))).toBeUndefined();
    const webhook = operations.find(({ access }) => access.provider !== undefined);
    expect(namesIn({ more: 1 }, 'more=1', webhook)).toBeUndefined();
  });

  it('are 20 at most in 1 KB of visible ASCII, whatever the names are', () => {
    const given = fc.dictionary(fc.string({ unit: 'binary', maxLength: 200 }), fc.constant('hunter2'), {
      maxKeys: 60,
    });
    fc.assert(
      fc.property(given, (body) => {
        const header = namesIn(body) ?? '';
        expect(header).toMatch(/^[\x20-\x7e]*$/);
        expect(header.length).toBeLessThanOrEqual(1_024);
        expect(header.split(', ').length).toBeLessThanOrEqual(20);
        expect(header.includes('hunter2')).toBe(Object.keys(body).some((name) => name.includes('hunter2')));
      }),
    );
    expect(namesIn({ 'a,b': 1, 'c d': 1, é: 1, '100%': 1, '\r\nX-A: 1': 1, '': 1 })).toBe(
      'a%2Cb, c%20d, %C3%A9, 100%25, %0D%0AX-A:%201, ""',
    );
    expect(namesIn(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`n${i}`, 1])))).toMatch(
      /^n0, .*n19$/,
    );
  });
});
