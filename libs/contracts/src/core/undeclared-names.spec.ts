import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { operations } from '../catalog/index.js';
import { Closed, operation, JsonObject, ListOf, Nested, Text } from '../index.js';
import { assertSpelling, undeclaredNames } from './undeclared-names.js';

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
  undeclaredNames(op, new URLSearchParams(query), value).ignored;
const misspelledIn = (value: unknown, query = '', op: Parameters<typeof undeclaredNames>[0] = full) =>
  undeclaredNames(op, new URLSearchParams(query), value).misspelled;

describe('AMB-51: the names that a call has and its contract does not', () => {
  it('are undefined for a call without such names', () => {
    const person = { email: 'a' };
    expect(
      namesIn({ text: 'a', owner: person, people: [person], free: { any: { thing: 1 } } }, 'colour=red'),
    ).toBeUndefined();
    expect(namesIn({})).toBeUndefined();
  });

  it('are those of the query, then of the body, nested ones with their path', () => {
    const body = { ttl: 1, owner: { age: 1 }, people: [{ email: 'a' }, { team: 'b' }], free: { any: 1 } };
    expect(namesIn(body, 'size=1&colour=red&size=2')).toBe('size, ttl, owner.age, people.1.team');
    expect(misspelledIn(body, 'size=1&colour=red&size=2')).toEqual([]);
  });

  it('are all parameters of an operation without a query', () => {
    expect(namesIn(undefined, 'a=1&b=2', bare)).toBe('a, b');
  });

  it('are none of a body that the operation does not read', () => {
    expect(namesIn({ text: 1, more: 1 }, '', bare)).toBeUndefined();
  });

  it('are listed once each, however often they are given', () => {
    expect(namesIn({}, `${'size=1&'.repeat(300)}b=1`)).toBe('size, b');
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

  it('are those that fit into 1 KB with their separators, and none after them', () => {
    const long = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`q${n}`.padEnd(100, 'q'), 1]));
    const listed = Object.keys(long).join(', ');
    expect(namesIn({ ...long, zz: 1 })).toBe(`${listed}, zz`);
    expect(namesIn({ ...long, zzz: 1, y: 1 })).toBe(listed);
  });

  it('have 100 characters at most, of a longer one its first', () => {
    expect(namesIn({ ['a'.repeat(100)]: 1 })).toBe('a'.repeat(100));
    expect(namesIn({ ['a'.repeat(101)]: 1 })).toBe('a'.repeat(100));
  });
});

describe('AMB-51: the names of a call that are near declared ones', () => {
  it('are those of the query and of the body, nested ones with their path, each with what was meant', () => {
    const person = { email: 'a' };
    const body = { Text: 'a', owner: { 'e-mail': 1 }, people: [person, { emial: 1 }], ttl: 1 };
    expect(misspelledIn(body, 'color=red')).toEqual([
      { field: 'color', message: 'did you mean colour?' },
      { field: 'Text', message: 'did you mean text?' },
      { field: 'owner.e-mail', message: 'did you mean email?' },
      { field: 'people.1.emial', message: 'did you mean email?' },
    ]);
    expect(namesIn(body, 'color=red')).toBe('ttl');
  });

  it('are refused with the reason FIELD_MISSPELLED, the first one in the message', () => {
    const found = undeclaredNames(full, new URLSearchParams(), { texts: 'a', owner: { emails: 1 } });
    const refused = { code: 'VALIDATION_ERROR', status: 400, reason: 'FIELD_MISSPELLED' };
    expect(() => assertSpelling(found)).toThrow(
      expect.objectContaining({ ...refused, message: 'texts: did you mean text?' }),
    );
    expect(() => assertSpelling(undeclaredNames(full, new URLSearchParams(), { text: 'a' }))).not.toThrow();
  });

  it('are none of the keys of a free map, nor of values that are no objects', () => {
    expect(misspelledIn({ free: { Free: 1, texts: { email_: 1 } }, text: { texts: 1 } })).toEqual([]);
  });

  it('are never names that another object of the body declares, however deep', () => {
    class Item {
      @Text({ max: 9 }) users: string;
    }
    class Group {
      @Text({ max: 9 }) names: string;
      @Nested(() => Item) item: Item;
      @ListOf(() => Group, { optional: true }) groups?: Group[];
    }
    class Team {
      @Text({ max: 9 }) user: string;
      @Text({ max: 9 }) name: string;
      @Nested(() => Group) group: Group;
    }
    const op = operation({ ...spec, body: Team });
    expect(misspelledIn({ users: 1, names: 1 }, '', op)).toEqual([]);
    expect(namesIn({ users: 1, names: 1 }, '', op)).toBe('users, names');
    expect(misspelledIn({ usr: 1, group: { user: 1, groups: [{ name: 1, nmes: 1 }] } }, '', op)).toEqual([
      { field: 'usr', message: 'did you mean user?' },
      { field: 'group.groups.0.nmes', message: 'did you mean names?' },
    ]);
  });

  it('have 100 characters at most, of a longer one its first', () => {
    const deep = `text${'_'.repeat(150)}`;
    expect(misspelledIn({ [deep]: 1 })).toEqual([
      { field: `text${'_'.repeat(96)}`, message: 'did you mean text?' },
    ]);
  });

  it('are those of a body that refuses other names, too', () => {
    expect(misspelledIn({ texts: 1, more: 1 }, '', operation({ ...spec, body: ClosedBody }))).toEqual([
      { field: 'texts', message: 'did you mean text?' },
    ]);
  });

  it('are none of a provider, and none in a query to which others append', () => {
    const webhook = operations.find(({ access, body }) => access.provider !== undefined && body);
    expect(misspelledIn({ user_ids: 1, ingot_ids: 1 }, 'user=1', webhook)).toEqual([]);
    const open = operation({ ...spec, query: Query, body: Body, isQueryOpen: true });
    expect(misspelledIn({ texts: 1 }, 'color=red', open)).toEqual([
      { field: 'texts', message: 'did you mean text?' },
    ]);
    expect(namesIn({}, 'color=red', open)).toBe('color');
  });

  it('are found behind many others, ten at most', () => {
    const others = Object.fromEntries(Array.from({ length: 8_000 }, (_, i) => [`n${i}`, 1]));
    expect(misspelledIn({ ...others, texts: 1 })).toEqual([
      { field: 'texts', message: 'did you mean text?' },
    ]);
    const people = Array.from({ length: 30 }, () => ({ emails: 1 }));
    expect(misspelledIn({ people })).toHaveLength(10);
  });
});
