import { exampleOfName, exampleOfPattern } from './example-values.js';
import { fieldsOf, type Class, type Field, type JsonSchema } from './schema.js';

const examples = new WeakMap<object, Readonly<Record<string, unknown>>>();

/**
 * The example of a contract class in the reference: the values of these fields. Required fields that it leaves out have the
 * value of their name; optional fields that it leaves out are not part of the example. A class that extends another one has its
 * values too.
 */
export function Example(values: Readonly<Record<string, unknown>>): ClassDecorator {
  return (type) => void examples.set(type, values);
}

/** A value of a contract class as a caller would send or receive it, for the reference and its samples. */
export function exampleOf(type: Class): Readonly<Record<string, unknown>> {
  const own = examplesOf(type);
  const entries = [...fieldsOf(type)]
    .filter(([name, { optional }]) => !optional || name in own)
    .map(([name, field]) => [name, name in own ? own[name] : exampleOfField(name, field)]);
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>;
}

/** The values that a class declares, and those of the classes that it extends. */
function examplesOf(type: object): Readonly<Record<string, unknown>> {
  const parent = Object.getPrototypeOf(type) as object;
  return parent === Function.prototype
    ? (examples.get(type) ?? {})
    : { ...examplesOf(parent), ...examples.get(type) };
}

function exampleOfField(name: string, { schema, nested, values }: Field): unknown {
  if (values) return { db_password: exampleOf(values()) };
  if (!nested) return exampleOfSchema(schema, name);
  const inner = exampleOf(nested());
  return baseOf(schema) === 'array' ? [inner] : inner;
}

function exampleOfSchema(schema: JsonSchema, name: string): unknown {
  if (schema.enum) return schema.enum[0];
  const base = baseOf(schema);
  if (base === 'null') return null;
  if (base === 'array') return schema.items ? [exampleOfSchema(schema.items, name)] : [];
  if (base === 'object') return {};
  return exampleOfPattern(schema) ?? knownValue(base, name) ?? placeholder(schema, base, name);
}

/** The value of a name, if it has the type of the field. */
function knownValue(base: string | undefined, name: string): string | number | boolean | undefined {
  const value = exampleOfName(name);
  return typeof value === (base === 'integer' ? 'number' : base) ? value : undefined;
}

function placeholder({ minimum = 1 }: JsonSchema, base: string | undefined, name: string): unknown {
  if (base === 'boolean') return true;
  return base === 'string' ? name.replaceAll('_', ' ') : Math.max(minimum, 1);
}

/** The type of a value that is not null. */
function baseOf({ type }: JsonSchema): string | undefined {
  return [type].flat()[0] as string | undefined;
}
