import { describe, expect, it } from '@jest/globals';
import { decode, decodeQuery, project } from './decode.js';
import { AppError } from './errors.js';
import { Email, Flag, HttpsUrl, IdOf, Int, JsonObject, ListOf, Name, Nested, OneOf, Text } from './fields.js';
import { Closed, schemaOf } from './schema.js';

class Inner {
  @Int({ min: 0 }) count: number;
}
class Body {
  @Text({ max: 5 }) text: string;
  @Int({ min: 1, max: 10, optional: true }) size = 7;
  @Flag({ optional: true }) flag?: boolean;
  @Name({ max: 4, optional: true, nullable: true }) name?: string | null;
  @Nested(() => Inner, { optional: true }) inner?: Inner;
  @ListOf(() => Inner, { optional: true }) list?: Inner[];
}
class Query {
  @Int({ min: 1, max: 100, optional: true }) limit = 50;
  @OneOf(['active', 'ash'], { optional: true }) status?: string;
}
class Typed {
  @Flag({ optional: true }) flag?: boolean;
  @Text({ max: 5, optional: true }) text?: string;
}
class Bytes {
  @Int({ min: 0, max: Number.MAX_SAFE_INTEGER, optional: true }) max_size?: number;
}
class Limits extends Inner {
  @Text({ max: 3 }) note: string;
}
@Closed()
class Strict {
  @IdOf('spk') id: string;
}

const refusal = (run: () => unknown): AppError => {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('was accepted');
};
const fieldsOf = (error: AppError) =>
  (error.details as { fields: { field: string }[] }).fields.map((p) => p.field);

describe('ENV-20 AMB-51: decode', () => {
  it('applies defaults, ignores unknown properties and changes no prototype', () => {
    const body = decode(Body, JSON.parse('{"text":"a","more":1,"__proto__":{"flag":true},"constructor":2}'));
    expect(body).toEqual({ text: 'a', size: 7 });
    expect(body.flag).toBeUndefined();
    expect(Object.getPrototypeOf(body)).toBe(Body.prototype);
  });

  it('ignores names that are near declared ones: services of two releases call each other', () => {
    const body = decode(Body, { text: 'a', sizes: 3, Flag: true, inner: { count: 1, counts: 2 } });
    expect(body).toEqual({ text: 'a', size: 7, inner: { count: 1 } });
  });

  it.each([1.5, '5', true, null, 11, 0, [3], {}, 1e300])('refuses %p as an integer from 1 to 10', (size) => {
    expect(fieldsOf(refusal(() => decode(Body, { text: 'a', size })))).toEqual(['size']);
  });

  it.each([[[]], [[{ count: 1 }]], [[{ constructor: null }]], [[[{ toString: null }]]]])(
    'refuses in a list of objects the list %j',
    (item) => {
      const { details } = refusal(() => decode(Body, { text: 'a', list: [item] }));
      expect(details).toEqual({ fields: [{ field: 'list', message: 'list must hold objects' }] });
    },
  );

  it.each([
    ['a whole number without an upper bound', { count: -1 }, 'count must be an integer of 0 or more'],
    ['a text that is too long', { note: 'abcd' }, 'note must have 3 characters at most'],
  ])('names in the error for %s the accepted values', (_, given, message) => {
    const { details } = refusal(() => decode(Limits, { count: 0, note: '', ...given }));
    expect(details).toEqual({ fields: [{ field: Object.keys(given)[0], message }] });
  });

  it.each([[], 'x', 3, null, true])('refuses %p as a body', (raw) => {
    const { code, details } = refusal(() => decode(Body, raw));
    expect(code).toBe('VALIDATION_ERROR');
    expect(details).toEqual({ fields: [{ field: '', message: 'must be a JSON object' }] });
  });

  it('makes instances of nested values, also in lists', () => {
    const { inner, list } = decode(Body, { text: 'a', inner: { count: 1, more: 2 }, list: [{ count: 3 }] });
    expect([inner, list]).toEqual([{ count: 1 }, [{ count: 3 }]]);
    expect([inner, ...(list ?? [])].every((value) => value instanceof Inner)).toBe(true);
  });

  it.each([null, 3, 'x', []])('refuses %p as a nested object', (inner) => {
    expect(fieldsOf(refusal(() => decode(Body, { text: 'a', inner })))).toEqual(['inner']);
  });

  it('reports a missing field as one that must be given', () => {
    const missing = { fields: [{ field: 'text', message: 'text must be given' }] };
    expect(refusal(() => decode(Body, {})).details).toEqual(missing);
    expect(refusal(() => decode(Body, { text: undefined })).details).toEqual(missing);
  });

  it('counts code points, refuses NUL and lone surrogates, and distinguishes null from absent', () => {
    expect(decode(Body, { text: '😀😀😀😀😀' }).text).toHaveLength(10);
    for (const text of ['123456', 'a\u0000', '\ud800', null, 5]) {
      expect(fieldsOf(refusal(() => decode(Body, { text })))).toEqual(['text']);
    }
    expect(decode(Body, { text: 'a', name: null }).name).toBeNull();
    for (const name of ['', '   ', '\u200b', '\u2060 \ufe0f', 'a\n', '\u202eab', 'abcde']) {
      expect(fieldsOf(refusal(() => decode(Body, { text: 'a', name })))).toEqual(['name']);
    }
  });

  it('validates nested objects and lists, and names the path but never the value', () => {
    const error = refusal(() =>
      decode(Body, { text: 'a', inner: { count: 'secret' }, list: [{ count: 1 }, 'secret'] }),
    );
    expect(fieldsOf(error)).toContain('inner.count');
    expect(JSON.stringify(error.details)).not.toContain('secret');
  });

  it('AUTH-03: refuses unknown properties of a closed class by name', () => {
    const error = refusal(() => decode(Strict, { id: `spk_${'a'.repeat(22)}`, extra: 1 }));
    expect(error.details).toEqual({ fields: [{ field: 'extra', message: 'unknown property' }] });
  });

  it('AUTH-03: names up to ten unknown properties, by up to 100 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`x${index}`, 1]));
    const long = { ['y'.repeat(150)]: 1 };
    const of = (more: object) =>
      fieldsOf(refusal(() => decode(Strict, { id: `spk_${'a'.repeat(22)}`, ...more })));
    expect(of(many)).toEqual(['x0', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7', 'x8', 'x9']);
    expect(of(long)).toEqual(['y'.repeat(100)]);
    expect(decode(Strict, { id: `spk_${'a'.repeat(22)}` })).toEqual({ id: `spk_${'a'.repeat(22)}` });
  });
});

describe('ENV-20: decodeQuery', () => {
  const query = (text: string) => decodeQuery(Query, new URLSearchParams(text));

  it('converts declared numbers and keeps defaults', () => {
    expect(query('limit=7&unknown=1')).toEqual({ limit: 7 });
    expect(query('')).toEqual({ limit: 50 });
  });

  it('says of a repeated parameter that it must be given once', () => {
    expect(refusal(() => query('limit=1&limit=2')).details).toEqual({
      fields: [{ field: 'limit', message: 'limit must be given once' }],
    });
  });

  it('converts true and false of declared flags, and nothing of declared texts', () => {
    const typed = (text: string) => decodeQuery(Typed, new URLSearchParams(text));
    expect(typed('flag=true')).toEqual({ flag: true });
    expect(typed('flag=false')).toEqual({ flag: false });
    for (const text of ['true', 'false', '7']) expect(typed(`text=${text}`)).toEqual({ text });
    for (const text of ['flag=', 'flag=1', 'flag=TRUE', 'flag=yes'])
      expect(fieldsOf(refusal(() => typed(text)))).toEqual(['flag']);
  });

  it('converts integers up to the greatest that a contract can declare', () => {
    const bytes = (text: string) => decodeQuery(Bytes, new URLSearchParams(text));
    expect(bytes('max_size=9007199254740991')).toEqual({ max_size: Number.MAX_SAFE_INTEGER });
    for (const over of ['9007199254740992', '9007199254740993', '10000000000000000', '-0000000000000001'])
      expect(refusal(() => bytes(`max_size=${over}`)).code).toBe('VALIDATION_ERROR');
  });

  it.each([
    'limit=1e2',
    'limit=',
    'limit=0x10',
    'limit=1.0',
    'limit=%205',
    'limit=1&limit=2',
    'status=expired',
    'limit=101',
  ])('refuses %s', (text) => {
    expect(refusal(() => query(text)).code).toBe('VALIDATION_ERROR');
  });
});

class Open {
  @JsonObject({ bytesMax: 80, depthMax: 3 }) settings: Record<string, unknown>;
}
class Choice {
  @OneOf(['read', 'write'], { nullable: true }) level: 'read' | 'write' | null;
}
class Contact {
  @Email({ optional: true }) email?: string;
  @HttpsUrl({ optional: true, nullable: true }) logo?: string | null;
}

describe('OPEN-57: An object with keys of the caller', () => {
  it.each(['{}', '{"a":null,"b":[1,"x",{}],"__proto__":1,"constructor":{"name":2}}', '{"say":"\\\\u0000"}'])(
    'accepts %s',
    (text) =>
      expect(Object.keys(decode(Open, { settings: JSON.parse(text) }).settings)).toEqual(
        Object.keys(JSON.parse(text)),
      ),
  );

  it.each<{ settings: unknown }>([
    ...[undefined, null, 1, 'x', true, []].map((settings) => ({ settings })),
    { settings: { deep: { deeper: { deepest: {} } } } },
    { settings: { text: 'x'.repeat(80) } },
    { settings: { nul: 'a\0b' } },
    { settings: { 'nul\0': 1 } },
    { settings: { surrogate: '\ud800' } },
    { settings: { number: JSON.parse('1e999') as number } },
  ])('refuses %j', ({ settings }) => {
    expect(fieldsOf(refusal(() => decode(Open, { settings })))).toEqual(['settings']);
  });
});

describe('ACC-02: Validation of e-mail addresses and URLs', () => {
  it.each(['ann@example.com', 'a@b.c', `${'x'.repeat(64)}@example.com`, 'köhler@münchen.example'])(
    'accepts the address %s',
    (email) => expect(decode(Contact, { email }).email).toBe(email),
  );

  it.each([
    '',
    'ann',
    '@example.com',
    'a@b',
    'a b@example.com',
    'a@b.c\n',
    '<eve@example.com>',
    'a,b@example.com',
    '"a b"@example.com',
    'a@[127.0.0.1]',
    `${'x'.repeat(65)}@example.com`,
    7,
    null,
    {},
  ])('refuses the address %j', (email) =>
    expect(fieldsOf(refusal(() => decode(Contact, { email })))).toEqual(['email']),
  );

  it.each(['https://example.com/logo.svg?x=1#y', null])('accepts the URL %s', (logo) =>
    expect(decode(Contact, { logo }).logo).toBe(logo),
  );

  it.each([
    'http://example.com/logo.svg',
    'javascript:alert(1)',
    'https://user:pass@example.com/',
    'https://exa mple.com/',
    '//example.com/x',
    `https://example.com/${'x'.repeat(2_048)}`,
    [],
    5,
  ])('refuses the URL %j', (logo) => {
    expect(fieldsOf(refusal(() => decode(Contact, { logo })))).toEqual(['logo']);
  });
});

describe('The declaration of a reply', () => {
  it('strips undeclared fields at every depth', () => {
    const value = { text: 'a', hidden: 1, inner: { count: 1, hidden: 2 }, list: [{ count: 2, hidden: 3 }] };
    expect(project(Body, value)).toEqual({ text: 'a', inner: { count: 1 }, list: [{ count: 2 }] });
  });

  it('leaves out what is undefined, and leaves null and other values as they are', () => {
    expect(project(Body, { text: 'a', size: undefined, name: null, inner: null })).toStrictEqual({
      text: 'a',
      name: null,
      inner: null,
    });
    for (const value of [null, 'x', 3]) expect(project(Inner, value)).toBe(value);
  });

  it('becomes JSON Schema with bounds, required fields and nested classes', () => {
    expect(schemaOf(Body)).toMatchObject({
      type: 'object',
      required: ['text'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 10 },
        name: { type: ['string', 'null'], minLength: 1, maxLength: 4 },
        list: { type: 'array', items: { properties: { count: { type: 'integer' } } } },
      },
    });
    expect(schemaOf(Strict)).toMatchObject({ additionalProperties: false });
    expect(schemaOf(Choice).properties?.['level']).toEqual({
      type: ['string', 'null'],
      enum: ['read', 'write', null],
    });
    expect(decode(Choice, { level: null })).toEqual({ level: null });
  });
});
