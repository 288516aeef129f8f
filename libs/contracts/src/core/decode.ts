import type { ValidationError } from 'class-validator';
import { validationError, type AppError, type FieldProblem } from './errors.js';
import { fieldsOf, isClosed, type Class, type Field } from './schema.js';
import { validateInstance } from './validate-instance.js';

/**
 * Creates an instance from parsed JSON with its declared fields and the defaults of its property initializers; checks
 * nothing. Reads own properties by declared name, so `__proto__` in a body is an unknown property like any other.
 */
export function instantiate<T extends object>(type: Class<T>, raw: object): T {
  const instance = new type() as Record<string, unknown>;
  for (const [name, field] of declaredFields(type)) {
    if (Object.hasOwn(raw, name)) instance[name] = convert(field, (raw as Record<string, unknown>)[name]);
  }
  return instance as T;
}

function convert(field: Field, value: unknown): unknown {
  if (!field.nested || typeof value !== 'object' || value === null) return value;
  const type = field.nested();
  return Array.isArray(value) ? value.map((item) => convertItem(type, item)) : instantiate(type, value);
}

/** No list holds lists: one is emptied and then refused, because validation would judge an object in it by its `constructor`. */
function convertItem(type: Class, item: unknown): unknown {
  if (Array.isArray(item)) return [];
  return isRecord(item) ? instantiate(type, item) : item;
}

/**
 * Validates a parsed value and returns it as an instance of its class.
 * @throws AppError VALIDATION_ERROR naming the invalid fields
 */
export function decode<T extends object>(type: Class<T>, raw: unknown): T {
  if (!isRecord(raw)) throw validationError({ field: '', message: 'must be a JSON object' });
  if (isClosed(type)) refuseUnknown(type, raw);
  const instance = instantiate(type, raw);
  const problems = validateInstance(instance);
  if (problems.length > 0) throw invalid(problems);
  return instance;
}

/**
 * Validates query parameters. A repeated parameter is an error, because no parameter is a list. Integers and booleans are
 * converted strictly: `1e3`, ` 5` and `0x10` stay strings and fail.
 * @throws AppError VALIDATION_ERROR naming the invalid parameters
 */
export function decodeQuery<T extends object>(type: Class<T>, query: URLSearchParams): T {
  const raw: Record<string, unknown> = {};
  for (const [name, field] of declaredFields(type)) {
    const values = query.getAll(name);
    if (values.length > 1) throw validationError({ field: name, message: `${name} must be given once` });
    if (values[0] !== undefined) raw[name] = fromText(field, values[0]);
  }
  return decode(type, raw);
}

function fromText(field: Field, text: string): unknown {
  if (field.schema.type === 'integer' && /^-?\d{1,16}$/.test(text)) return Number(text);
  if (field.schema.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Copies the declared fields of a value: undeclared fields never leave a service. */
export function project(type: Class, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => project(type, item));
  if (!isRecord(value)) return value;
  const out: Record<string, unknown> = {};
  for (const [name, field] of declaredFields(type)) {
    const member = value[name];
    if (member !== undefined) out[name] = field.nested ? project(field.nested(), member) : member;
  }
  return out;
}

const fieldCache = new WeakMap<Class, [string, Field][]>();

/** `fieldsOf` walks the prototype chain; the fields of a class are final once it is used. */
function declaredFields(type: Class): [string, Field][] {
  let fields = fieldCache.get(type);
  if (!fields) fieldCache.set(type, (fields = [...fieldsOf(type)]));
  return fields;
}

function refuseUnknown(type: Class, raw: Record<string, unknown>): void {
  const known = fieldsOf(type);
  const unknown = Object.keys(raw).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw validationError(
    ...unknown.slice(0, 10).map((name) => ({ field: name.slice(0, 100), message: 'unknown property' })),
  );
}

function invalid(problems: ValidationError[]): AppError {
  return validationError(...problems.flatMap((problem) => describe(problem, '')));
}

function describe(problem: ValidationError, path: string): FieldProblem[] {
  const field = path ? `${path}.${problem.property}` : problem.property;
  const [constraint] = Object.values(problem.constraints ?? {});
  const isMissing = problem.value === undefined;
  const own = constraint === undefined ? [] : [isMissing ? `${problem.property} must be given` : constraint];
  return [
    ...own.map((message) => ({ field, message })),
    ...(problem.children ?? []).flatMap((child) => describe(child, field)),
  ];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
