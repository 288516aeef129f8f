import { validationError } from './errors.js';

/** The JSON object that a text is. @throws AppError VALIDATION_ERROR */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw validationError({ field: '', message: 'the body must be a JSON object' });
}

/** The text at a path of objects; empty if there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = at(value, path);
  return typeof found === 'string' ? found : '';
}

/** The list at a path of objects; empty if there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
}

function at(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return at((value as Record<string, unknown>)[name], rest);
}
