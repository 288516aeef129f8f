import { UsageError } from '../failures.js';
import { utf8Text } from '../utf8-text.js';

/** The JSON object that was read from the standard input. The message does not quote it, as that of JSON.parse does. */
export function jsonObject(input: Uint8Array | string): Record<string, unknown> {
  const text = typeof input === 'string' ? input : utf8Text(input);
  if (text === undefined) throw new UsageError('The standard input is not UTF-8.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError('The standard input is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('The standard input is not a JSON object.');
  return value as Record<string, unknown>;
}
