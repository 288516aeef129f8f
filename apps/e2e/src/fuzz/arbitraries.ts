import { schemaOf, type JsonSchema, type PublicOperation } from '@vaultsvc/contracts';
import fc, { type Arbitrary } from 'fast-check';

/** One HTTP call as bytes and headers, ready to send. */
export interface FuzzCall {
  readonly op: PublicOperation;
  readonly method: string;
  readonly path: string;
  readonly credential: 'good' | 'none' | 'junk';
  /** The Vault Access Token, where the operation requires one. */
  readonly vat: string | undefined;
  readonly contentType: string | undefined;
  /** Headers that browsers send to session operations and from link pages. */
  readonly browser: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** Existing resources: ids by the names of path parameters, and the Vault Access Token of the vault. */
export interface Known {
  readonly ids: Readonly<Record<string, string>>;
  readonly vat: string;
}

/** Values that break careless code: wrong types, edge cases of numbers, Unicode and prototypes. */
const junk: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    -0,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e',
    '__proto__',
    [],
    {},
    [[]],
  ),
  fc.constantFrom<unknown>(
    '9'.repeat(400),
    'x'.repeat(70_000),
    { constructor: { prototype: {} } },
    [[{ constructor: null }]],
    [1, { toString: null, valueOf: null }, { toString: null, valueOf: null }],
    Number.MAX_SAFE_INTEGER + 2,
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Calls of one operation: mostly well-formed, each part occasionally invalid. */
export function callsOf(op: PublicOperation, known: Known): Arbitrary<FuzzCall> {
  const content = op.body ? bodyOf(schemaOf(op.body)) : fc.option(rawBody, { freq: 8, nil: undefined });
  return fc.record({
    op: fc.constant(op),
    method: usually(
      fc.constant<string>(op.http.method),
      fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'TRACE', 'PROPFIND', 'get'),
    ),
    path: fc.tuple(pathOf(op, known), queryOf(op)).map(([path, query]) => path + query),
    credential: usually(fc.constant<FuzzCall['credential']>('good'), fc.constantFrom('none', 'junk'), 20),
    vat: op.access.vat
      ? usually(fc.constant<string | undefined>(known.vat), fc.constantFrom(undefined, '', 'vat_x'), 20)
      : fc.constant(undefined),
    contentType: usually(
      fc.constant<string | undefined>('application/json'),
      fc.constantFrom(
        undefined,
        'text/plain',
        'application/json; charset=latin1',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
        ';;',
      ),
    ),
    browser: op.session || op.http.surface ? browserHeaders : fc.constant({}),
    body: content,
  });
}

const refreshCookie = fc.oneof(
  fc.constantFrom('', '=', '""', 'vkr_', `vkr_${'A'.repeat(71)}`, 'x'.repeat(2_000), 'a;__Host-vk_refresh=b'),
  fc.string({ maxLength: 100 }).map((text) => text.replace(/[^\x20-\x7e]/g, '')),
);

/** Any subset of these headers, mostly with the marker that enables the others. */
const browserHeaders: Arbitrary<Readonly<Record<string, string>>> = fc.record(
  {
    'x-vk-client': fc.constantFrom('web', 'web', 'WEB ', 'native', ''),
    cookie: refreshCookie.map((value) => `a=1; __Host-vk_refresh=${value}`),
    origin: fc.constantFrom('https://evil.test', 'null', ''),
    'sec-fetch-site': fc.constantFrom('same-origin', 'same-site', 'cross-site', 'none'),
    'user-agent': fc.constantFrom('', 'fuzz', 'a'.repeat(3_000)),
  },
  { requiredKeys: [] },
);

function usually<T>(right: Arbitrary<T>, wrong: Arbitrary<T>, weight = 12): Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: right }, { weight: 1, arbitrary: wrong });
}

function bodyOf(schema: JsonSchema): Arbitrary<Buffer | undefined> {
  const json = valueOf(schema).map((value) => Buffer.from(JSON.stringify(value)));
  return fc.oneof(
    { weight: 10, arbitrary: json as Arbitrary<Buffer | undefined> },
    { weight: 2, arbitrary: rawBody },
  );
}

const rawBody: Arbitrary<Buffer | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('{', 'null', '[]', '"x"', '{"a":', '{"payload":"a","payload":"b"}', '\ufeff{}', '1e999')
    .map((text) => Buffer.from(text)),
  fc.integer({ min: 30, max: 5_000 }).map((depth) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))),
);

/** A value of the schema, with fields occasionally omitted, replaced by junk or added. */
function valueOf(schema: JsonSchema): Arbitrary<unknown> {
  const types = [schema['type']].flat() as string[];
  const fitting = fc.oneof(...types.map((type) => typedValue(type, schema)));
  return fc.oneof({ weight: 8, arbitrary: fitting }, { weight: 1, arbitrary: junk });
}

function typedValue(type: string, schema: JsonSchema): Arbitrary<unknown> {
  if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...(schema['enum'] as unknown[]));
  switch (type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return fc.array(valueOf((schema['items'] ?? { type: 'string' }) as JsonSchema), { maxLength: 5 });
    case 'integer':
      return fc.integer({
        min: Number(schema['minimum'] ?? -10) - 1,
        max: Math.min(Number(schema['maximum'] ?? 1e6) + 1, 2 ** 31 - 1),
      });
    case 'number':
      return fc.double();
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return textOf(schema);
  }
}

/** Texts of the schema's format, with edge cases. */
const formatted: Readonly<Record<NonNullable<JsonSchema['format']>, Arbitrary<string>>> = {
  email: fc.oneof(
    fc.emailAddress(),
    fc.constantFrom(
      'A@EXAMPLE.com',
      'ä@exämple.test',
      'a@b',
      'a@b.c\r\nBcc: d@e.f',
      `${'a'.repeat(65)}@b.test`,
    ),
  ),
  uri: fc.oneof(
    fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }),
    fc.constantFrom(
      'http://a.test/x',
      'https://u:p@a.test',
      'javascript:alert(1)',
      'https://[::1]/',
      '//a.test',
    ),
  ),
};

function textOf(schema: JsonSchema): Arbitrary<string> {
  if (schema.format) return formatted[schema.format];
  if (typeof schema['pattern'] === 'string') return fc.stringMatching(new RegExp(schema['pattern']));
  const maxLength = Math.min(Number(schema['maxLength'] ?? 100) + 1, 2_000);
  return fc.oneof(
    fc.string({ maxLength }),
    fc.string({ unit: 'binary', maxLength: Math.min(maxLength, 200) }),
    fc.constantFrom('text/uri-list', 'image/png', 'https://example.test/x'),
  );
}

/** Names of keys, including some that break prototypes, lists or storage. */
const keyName: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 257 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'a,b', '', '\u0000', '\ud800', ' a '),
  },
);

/** An object with arbitrary keys. */
const openObject: Arbitrary<unknown> = fc.dictionary(
  keyName,
  fc.oneof({ weight: 4, arbitrary: fc.jsonValue({ maxDepth: 2 }) }, { weight: 1, arbitrary: junk }),
  { maxKeys: 5 },
);

function objectOf(schema: JsonSchema): Arbitrary<unknown> {
  if (schema.properties === undefined) return openObject;
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, valueOf(field)]),
  );
  const surplus = fc.dictionary(
    fc.constantFrom('__proto__', 'constructor', 'account_id', 'status', 'x'),
    junk,
    { maxKeys: 1 },
  );
  const required = (schema['required'] ?? []) as string[];
  const shaped = fc.record(fields, { requiredKeys: required });
  const loose = fc.record(fields, { requiredKeys: [] });
  return fc.tuple(usually(shaped, loose), surplus).map(([value, more]) => ({ ...value, ...more }));
}

function pathOf({ http }: PublicOperation, { ids }: Known): Arbitrary<string> {
  const parts = http.path.split(/(\{\w+\})/).map((part) => {
    if (!part.startsWith('{')) return fc.constant(part);
    const id = ids[part.slice(1, -1)];
    return id === undefined ? strangeSegment : usually(fc.constant(id), strangeSegment, 6);
  });
  return fc.tuple(...parts).map((made) => made.join(''));
}

const strangeSegment: Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^(spk|key|kdl|vlt|usr|ing)_[0-9A-Za-z]{22}([0-9A-Za-z]{2})?$/),
  fc.oneof(fc.domain(), fc.constantFrom('EXAMPLE.Com.', 'xn--a', 'a..b', '127.0.0.1')),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => encodeURIComponent(text.toWellFormed()) || '-'),
  fc.constantFrom(
    '%',
    '%00',
    '%ff',
    '%2F',
    '..',
    '%2e%2e',
    'x'.repeat(3_000),
    "'",
    '%c0%af',
    ':name',
    ':fuzz',
  ),
);

function queryOf(op: PublicOperation): Arbitrary<string> {
  const names = op.query ? Object.keys((schemaOf(op.query)['properties'] ?? {}) as object) : ['x'];
  const value = fc.oneof(
    fc.constantFrom(
      '1',
      '50',
      '0',
      '-1',
      '1e3',
      '',
      'active',
      'ash',
      'expired',
      '%00',
      '%',
      'null',
      'c1.e30.AAAAAAAAAAAAAAAAAAAAAA',
    ),
    fc.string({ unit: 'binary', maxLength: 50 }).map((text) => encodeURIComponent(text.toWellFormed())),
  );
  const pair = fc
    .tuple(fc.constantFrom(...names, 'unknown'), value, keysInQuery)
    .map(([name, text, keys]) => `${name}=${name === 'keys' ? keys : text}`);
  return fc.array(pair, { maxLength: 3 }).map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
}

/** Names of keys separated by commas, some of which exist. */
const keysInQuery: Arbitrary<string> = fc.oneof(
  fc
    .array(fc.oneof(fc.constantFrom('a', 'b'), keyName), { maxLength: 8 })
    .map((names) => encodeURIComponent(names.join(',').toWellFormed())),
  fc.constantFrom('a', ','.repeat(100), '1,'.repeat(101)),
);
