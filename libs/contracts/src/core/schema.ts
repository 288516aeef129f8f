/** A contract class: its constructor has no parameters, its decorated properties are its fields. */
export type Class<T extends object = object> = new () => T;

/** The keywords of JSON Schema 2020-12, the dialect of OpenAPI 3.1, that contracts use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly enum?: readonly (string | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: 'email' | 'uri';
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly maxProperties?: number;
  readonly default?: string | number | boolean;
}

/** A registered field of a contract class. */
export interface Field {
  readonly schema: JsonSchema;
  readonly optional: boolean;
  /** The class of an object, or of the items of a list. */
  readonly nested: (() => Class) | undefined;
  /** The class of the values of an object whose keys the caller chose. */
  readonly values?: (() => Class) | undefined;
}

const registry = new WeakMap<object, Map<string, Field>>();
const closedClasses = new WeakSet<object>();

/** Registers a field; called by the field decorators with the prototype of the class. */
export function registerField(prototype: object, name: string, field: Field): void {
  const fields = registry.get(prototype) ?? new Map<string, Field>();
  registry.set(prototype, fields.set(name, field));
}

/** The declared fields of a class, inherited ones first: the allow-list of request and reply fields. */
export function fieldsOf(type: Class): ReadonlyMap<string, Field> {
  return collect(type.prototype as object);
}

function collect(prototype: object): Map<string, Field> {
  const parent = Object.getPrototypeOf(prototype) as object | null;
  const inherited = parent && parent !== Object.prototype ? collect(parent) : new Map<string, Field>();
  return new Map([...inherited, ...(registry.get(prototype) ?? [])]);
}

/** Marks a class that refuses unknown properties (AUTH-03); all others ignore them but for misspelled names (AMB-51). */
export function Closed(): ClassDecorator {
  return (type) => void closedClasses.add(type);
}

/** Whether a class refuses unknown properties. */
export function isClosed(type: Class): boolean {
  return closedClasses.has(type);
}

/** The schema that stands for a nested class: the class itself, inlined, or a `$ref` to it. */
export type SchemaReference = (type: Class) => JsonSchema;

/**
 * The JSON Schema of a contract class. Initial values of properties become defaults. `reference` gives the schemas of nested
 * classes, which are inlined by default.
 */
export function schemaOf(type: Class, reference: SchemaReference = inlined): JsonSchema {
  const defaults: Readonly<Record<string, unknown>> = { ...new type() };
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, field] of fieldsOf(type)) {
    properties[name] = withDefault(schemaOfField(field, reference), defaults[name]);
    if (!field.optional) required.push(name);
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(isClosed(type) && { additionalProperties: false }),
  };
}

/** The schema of a nested class in place. */
const inlined: SchemaReference = (type) => schemaOf(type);

function withDefault(schema: JsonSchema, value: unknown): JsonSchema {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? { ...schema, default: value } : schema;
}

function schemaOfField({ schema, nested, values }: Field, reference: SchemaReference): JsonSchema {
  if (values) return { ...schema, additionalProperties: reference(values()) };
  if (!nested) return schema;
  const inner = reference(nested());
  if ([schema.type].flat()[0] === 'array') return { ...schema, items: inner };
  return inner.$ref === undefined ? { ...inner, ...schema } : referredBy(schema, inner);
}

/** A reference with the description, and the null, of the field that has it. */
function referredBy({ type, description }: JsonSchema, reference: JsonSchema): JsonSchema {
  const isNullable = [type].flat().includes('null');
  const schema = isNullable ? { oneOf: [reference, { type: 'null' }] } : reference;
  return description === undefined ? schema : { ...schema, description };
}
