/** A contract class: made without arguments, its decorated properties are its fields. */
export type Class<T extends object = object> = new () => T;

/** The keywords of JSON Schema 2020-12 (the dialect of OpenAPI 3.1) that contracts are written in. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: 'email' | 'uri';
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly maxProperties?: number;
  readonly default?: string | number | boolean;
}

export interface Field {
  readonly schema: JsonSchema;
  readonly optional: boolean;
  /** The class of the object, or of the items of the list. */
  readonly nested: (() => Class) | undefined;
}

const registry = new WeakMap<object, Map<string, Field>>();
const closedClasses = new WeakSet<object>();

/** Called by the field decorators; `prototype` is the class's prototype. */
export function registerField(prototype: object, name: string, field: Field): void {
  const fields = registry.get(prototype) ?? new Map<string, Field>();
  registry.set(prototype, fields.set(name, field));
}

/** The declared fields of a class, inherited ones first. They are the allow-list of what enters and leaves. */
export function fieldsOf(type: Class): ReadonlyMap<string, Field> {
  return collect(type.prototype as object);
}

function collect(prototype: object): Map<string, Field> {
  const parent = Object.getPrototypeOf(prototype) as object | null;
  const inherited = parent && parent !== Object.prototype ? collect(parent) : new Map<string, Field>();
  return new Map([...inherited, ...(registry.get(prototype) ?? [])]);
}

/** Refuses unknown properties in this body (AUTH-03); elsewhere they are ignored (AMB-51). */
export function Closed(): ClassDecorator {
  return (type) => void closedClasses.add(type);
}

export function isClosed(type: Class): boolean {
  return closedClasses.has(type);
}

/** The JSON Schema of a contract class, nested classes inlined. What its instances begin with is told as default. */
export function schemaOf(type: Class): JsonSchema {
  const begun: Readonly<Record<string, unknown>> = { ...new type() };
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, field] of fieldsOf(type)) {
    properties[name] = withDefault(schemaOfField(field), begun[name]);
    if (!field.optional) required.push(name);
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(isClosed(type) && { additionalProperties: false }),
  };
}

function withDefault(schema: JsonSchema, value: unknown): JsonSchema {
  const isTold = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isTold ? { ...schema, default: value } : schema;
}

function schemaOfField(field: Field): JsonSchema {
  if (!field.nested) return field.schema;
  const inner = schemaOf(field.nested());
  const [base] = [field.schema.type].flat();
  return base === 'array' ? { ...field.schema, items: inner } : { ...inner, ...field.schema };
}
