import { schemaOf, type Class, type JsonSchema } from '@vaultsvc/contracts';
import fc, { type Arbitrary } from 'fast-check';
import { propertiesOf, takesReference } from './contract-names.js';

/** Where a reference takes its value: from the caller's account, the other account, an ended resource, or nowhere. */
const sources = ['own', 'own', 'own', 'own', 'own', 'foreign', 'ended', 'unknown'] as const;
export type Source = (typeof sources)[number];

/** A field that takes a value of an earlier reply; `otherwise`: its value when there is none. */
export class Reference {
  constructor(
    readonly field: string,
    readonly source: Source,
    readonly pick: number,
    readonly otherwise: unknown,
  ) {}
}

const objects = new Map<Class, Arbitrary<Readonly<Record<string, unknown>>>>();

/** Objects that their contract accepts, but for rules that no schema states. References are resolved when they are sent. */
export function objectsOf(type: Class): Arbitrary<Readonly<Record<string, unknown>>> {
  const known = objects.get(type) ?? objectOf(schemaOf(type));
  objects.set(type, known);
  return known;
}

function objectOf(schema: JsonSchema): Arbitrary<Readonly<Record<string, unknown>>> {
  const fields = Object.entries(propertiesOf(schema)).map(([field, inner]) => [field, fieldOf(field, inner)]);
  return fc.record(Object.fromEntries(fields) as Record<string, Arbitrary<unknown>>, {
    requiredKeys: [...(schema.required ?? [])],
  });
}

function fieldOf(field: string, schema: JsonSchema): Arbitrary<unknown> {
  const plain = valueOf(field, schema);
  if (!takesReference(field, schema)) return plain;
  const reference = fc
    .tuple(fc.constantFrom(...sources), fc.nat(99), plain)
    .map(([source, pick, otherwise]) => new Reference(field, source, pick, otherwise));
  return schema.pattern === undefined ? fc.oneof(reference, plain) : reference;
}

function valueOf(field: string, schema: JsonSchema): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom<unknown>(...schema.enum);
  const [type] = [schema.type].flat();
  const isNullable = [schema.type].flat().includes('null');
  const value = typedValue(field, type, schema);
  return isNullable ? fc.option(value, { freq: 4, nil: null }) : value;
}

function typedValue(field: string, type: string | undefined, schema: JsonSchema): Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return schema.properties ? objectOf(schema) : openObject;
    case 'array':
      return fc.array(valueOf(field, schema.items ?? { type: 'string', maxLength: 20 }), {
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'integer':
      // A Spark that expires in between would look like an effect of a call.
      return integerOf(field === 'ttl_minutes' ? { ...schema, minimum: 60 } : schema);
    case 'number':
      return fc.constantFrom(0, 0.5, 60, schema.maximum ?? 3_600);
    case 'boolean':
      return fc.boolean();
    default:
      return textOf(field, schema);
  }
}

/** Small numbers, so that pools and files stay small, and the ends of the range. */
function integerOf({ minimum = 0, maximum = 1_000 }: JsonSchema): Arbitrary<number> {
  const small = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 1_000) });
  return fc.oneof(
    { weight: 8, arbitrary: small },
    { weight: 1, arbitrary: fc.constantFrom(minimum, Math.min(maximum, 86_400)) },
  );
}

const hex = fc.nat({ max: 0xffffff }).map((number) => number.toString(16));
const identities = fc.oneof(
  hex.map((text) => `guest-${text}@example.test`),
  fc.integer({ min: 10_000_000, max: 99_999_999 }).map((number) => `+49151${number}`),
);

/** Fields whose form no schema states. */
const namedTexts: Readonly<Record<string, Arbitrary<string>>> = {
  identity: identities,
  invites: identities,
  recipients: identities,
  // Nothing listens there: a run sends nothing to other hosts.
  url: hex.map((text) => `http://127.0.0.1:9/${text}`),
  email: hex.map((text) => `person-${text}@example.test`),
  domain: hex.map((text) => `d${text}.example`),
  content_type: fc.constantFrom('text/plain', 'image/png', 'application/json', 'text/uri-list'),
  payload: fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constant('https://example.com/a'),
    fc.constant('aGVsbG8='),
  ),
  bound_ip: fc.constantFrom('127.0.0.1', '192.0.2.1'),
  folder_path: fc.constantFrom('a', 'a/b', 'a/b/c', 'd'),
  keys: fc.constantFrom('token', 'token,port', 'a,b'),
};

function textOf(field: string, schema: JsonSchema): Arbitrary<string> {
  const named = namedTexts[field];
  if (named) return named;
  if (schema.format === 'email') return namedTexts['email'] as Arbitrary<string>;
  if (schema.format === 'uri') return hex.map((text) => `https://example.com/${text}.png`);
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
  const maxLength = Math.min(schema.maxLength ?? 20, 20);
  // A few names only, so that they collide, in both cases.
  const name = fc
    .constantFrom('alpha', 'Alpha', 'beta', 'gamma.txt', 'Delta.PDF')
    .filter((text) => text.length <= maxLength);
  const any = fc.string({ unit: 'grapheme', minLength: Math.max(1, schema.minLength ?? 0), maxLength });
  return maxLength < 9 ? any : fc.oneof(name, any);
}

const openObject: Arbitrary<unknown> = fc.dictionary(
  fc.constantFrom('token', 'port', 'a', 'b', 'theme', '__proto__', 'constructor'),
  fc.jsonValue({ maxDepth: 1 }),
  { maxKeys: 4, noNullPrototype: true },
);
