import { field, type Options } from '../core/field.js';
import { Checked, firstNameProblem, STRUCTURED_KEYS_MAX } from './key-names.js';

/**
 * Values by the names of their keys (OPEN-19): any JSON value that can be given back as it was. Its own properties
 * are the keys, `__proto__` too, as `JSON.parse` makes them: read it by `Object.entries`, never by a name.
 */
export type KeyValues = Readonly<Record<string, unknown>>;

/** Lists and objects in one another. Deeper ones would end the stack of whatever walks through them. */
const VALUE_DEPTH_MAX = 32;

/** At most 10,000 keys (STR-03). How long a value may be is 413 and the service's own (AMB-12). */
export function KeyValuesField(options: Options): PropertyDecorator {
  const schema = { type: 'object', maxProperties: STRUCTURED_KEYS_MAX, additionalProperties: true };
  return field(schema, options, [Checked('keyValues', problemOf)]);
}

function problemOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object of keys and their values';
  const names = Object.keys(value);
  if (names.length > STRUCTURED_KEYS_MAX) return `must have at most ${STRUCTURED_KEYS_MAX} keys`;
  return firstNameProblem(names) ?? firstValueProblem(Object.values(value));
}

function firstValueProblem(values: readonly unknown[]): string | undefined {
  const index = values.findIndex((value) => !isKeepable(value, VALUE_DEPTH_MAX));
  if (index < 0) return undefined;
  return `key ${index + 1}: a value must hold well-formed Unicode, and numbers that lose no digits as IEEE 754 doubles (write others as a string), at most ${VALUE_DEPTH_MAX} levels deep`;
}

/**
 * Whether a value that was parsed can be written again as it was read. `1e999` is Infinity by now, and of integers beyond
 * 2^53 nobody knows which digits were sent (RFC 8259, 6); a lone surrogate has no UTF-8.
 */
function isKeepable(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  // A list as it is: to make a text of each of a million indices, or a copy, would hold up everyone else for seconds.
  if (Array.isArray(value)) return value.every((inner) => isKeepable(inner, levels - 1));
  return (
    Object.keys(value).every((name) => name.isWellFormed()) &&
    Object.values(value).every((inner) => isKeepable(inner, levels - 1))
  );
}
