import { ValidateBy } from 'class-validator';
import { field, hasCodePoints, type Options } from '../core/field.js';

/** Characters, which are code points (STR-04). */
export const KEY_NAME_MAX = 256;
/** Keys of an ingot (STR-03). */
export const STRUCTURED_KEYS_MAX = 10_000;
/** Names in one retrieval, repeated ones counted (STR-10). */
export const RETRIEVED_KEYS_MAX = 100;

/**
 * What is wrong with the name of a key, if anything; never the name itself, which is a secret of its owner. Any text
 * may be a name, `__proto__` and NUL included; refused is only what could not be asked for by `?keys=a,b` (ADR 14),
 * and what is longer than 256 code points (STR-04).
 */
export function keyNameProblem(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if (name.includes(',')) return 'must not hold a comma';
  if (!name.isWellFormed()) return 'must be well-formed Unicode';
  if (!hasCodePoints(name, 1, KEY_NAME_MAX)) return `must have at most ${KEY_NAME_MAX} characters`;
  return undefined;
}

/** A list of names of keys, of at most as many as one ingot may have. */
export function KeyNames(options: Options): PropertyDecorator {
  const items = { type: 'string', minLength: 1, maxLength: KEY_NAME_MAX };
  return field({ type: 'array', maxItems: STRUCTURED_KEYS_MAX, items }, options, [
    Checked('keyNames', namesProblem),
  ]);
}

/** Names of keys with commas between them, in a query (STR-10). */
export function KeyQuery(options: Options): PropertyDecorator {
  return field({ type: 'string', minLength: 1 }, options, [
    Checked('keyQuery', (text) => (typeof text === 'string' ? queryProblem(text) : 'must be a text')),
  ]);
}

/** The names in such a query, in their order, each once. */
export function namesInQuery(keys: string): readonly string[] {
  return [...new Set(keys.split(','))];
}

/** A check that says what is wrong: nothing is, where `problem` finds nothing. */
export function Checked(name: string, problem: (value: unknown) => string | undefined): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value) => problem(value) === undefined,
      defaultMessage: (given) => `${given?.property} ${problem(given?.value)}`,
    },
  });
}

/** The first of them that cannot be a name, told by its place and never by itself. */
export function firstNameProblem(names: readonly string[]): string | undefined {
  for (const [index, name] of names.entries()) {
    const problem = keyNameProblem(name);
    if (problem) return `key ${index + 1}: a name ${problem}`;
  }
  return undefined;
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
