import { ValidateBy } from 'class-validator';
import { field, hasCodePoints, type Options } from '../core/field.js';

/** Code points of a key name (STR-04). */
export const KEY_NAME_MAX = 256;
/** Keys of one structured ingot (STR-03). */
export const STRUCTURED_KEYS_MAX = 10_000;
/** Key names in one retrieval, counted with repetitions (STR-10). */
export const RETRIEVED_KEYS_MAX = 100;
/** Nesting of lists and objects in a value. Deeper ones would overflow the stack of recursive code. */
const VALUE_DEPTH_MAX = 32;

/**
 * Values by key name (OPEN-19): every JSON value that survives parsing and serializing unchanged. Its own properties are
 * the keys, `__proto__` included, as `JSON.parse` creates them: read it with `Object.entries`, never by property access.
 */
export type KeyValues = Readonly<Record<string, unknown>>;

/** An object of at most 10,000 keys (STR-03). The handler checks the size of each value: too large is 413 (AMB-12). */
export function KeyValuesField(options: Options): PropertyDecorator {
  const schema = { type: 'object', maxProperties: STRUCTURED_KEYS_MAX, additionalProperties: true };
  return field(schema, options, [Checked('keyValues', valuesProblem)]);
}

/** A list of at most 10,000 key names. */
export function KeyNames(options: Options): PropertyDecorator {
  const items = { type: 'string', minLength: 1, maxLength: KEY_NAME_MAX };
  return field({ type: 'array', maxItems: STRUCTURED_KEYS_MAX, items }, options, [
    Checked('keyNames', namesProblem),
  ]);
}

/** Up to 100 key names in a query parameter, separated by commas (STR-10). */
export function KeyQuery(options: Options): PropertyDecorator {
  return field({ type: 'string', minLength: 1 }, options, [
    Checked('keyQuery', (text) => (typeof text === 'string' ? queryProblem(text) : 'must be a text')),
  ]);
}

/** The key names of such a parameter in their order, without repetitions. */
export function namesInQuery(keys: string): readonly string[] {
  return [...new Set(keys.split(','))];
}

/** A validator from a function that returns the problem of a value, or undefined if it has none. */
function Checked(name: string, problemOf: (value: unknown) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value) => problemOf(value) === undefined,
      defaultMessage: (given) => `${given?.property} ${problemOf(given?.value)}`,
    },
  });
}

function valuesProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object of keys and their values';
  const names = Object.keys(value);
  if (names.length > STRUCTURED_KEYS_MAX) return `must have at most ${STRUCTURED_KEYS_MAX} keys`;
  return firstNameProblem(names) ?? firstValueProblem(Object.values(value));
}

function namesProblem(value: unknown): string | undefined {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string'))
    return 'must be a list of names of keys';
  if (value.length > STRUCTURED_KEYS_MAX) return `must hold at most ${STRUCTURED_KEYS_MAX} names`;
  return firstNameProblem(value);
}

function queryProblem(text: string): string | undefined {
  const names = text.split(',');
  if (names.length > RETRIEVED_KEYS_MAX) return `must name at most ${RETRIEVED_KEYS_MAX} keys`;
  return firstNameProblem(names);
}

/** Names a key by its position: key names are secrets of the account and must not appear in errors. */
function firstNameProblem(names: readonly string[]): string | undefined {
  for (const [index, name] of names.entries()) {
    const problem = keyNameProblem(name);
    if (problem) return `key ${index + 1}: a name ${problem}`;
  }
  return undefined;
}

/**
 * Any text may be a key name, `__proto__` and NUL included. Refused are names that `?keys=a,b` could not express
 * (ADR 14) and names of more than 256 code points (STR-04).
 */
function keyNameProblem(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if (name.includes(',')) return 'must not hold a comma';
  if (!name.isWellFormed()) return 'must be well-formed Unicode';
  if (!hasCodePoints(name, 1, KEY_NAME_MAX)) return `must have at most ${KEY_NAME_MAX} characters`;
  return undefined;
}

function firstValueProblem(values: readonly unknown[]): string | undefined {
  const index = values.findIndex((value) => !survivesRoundTrip(value, VALUE_DEPTH_MAX));
  if (index < 0) return undefined;
  return `key ${index + 1}: a value must hold well-formed Unicode, and numbers that lose no digits as IEEE 754 doubles (write others as a string), at most ${VALUE_DEPTH_MAX} levels deep`;
}

/**
 * Whether a parsed value serializes to what was sent. Parsing has turned `1e999` into Infinity, integers beyond 2^53 may
 * have lost digits (RFC 8259, section 6), and a lone surrogate has no UTF-8.
 */
function survivesRoundTrip(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  // Not Object.values: a string for each of a million indices, or a copy, would block the event loop for seconds.
  if (Array.isArray(value)) return value.every((inner) => survivesRoundTrip(inner, levels - 1));
  return (
    Object.keys(value).every((name) => name.isWellFormed()) &&
    Object.values(value).every((inner) => survivesRoundTrip(inner, levels - 1))
  );
}
