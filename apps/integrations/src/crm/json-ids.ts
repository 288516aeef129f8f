import { validationError } from '@vaultsvc/contracts';

/** Strings and numbers of JSON. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * The members of an object that are written as numbers, as text. Throws VALIDATION_ERROR for one that is not written as an
 * integer up to 2^53 - 1: `JSON.parse` rounds, and the rounded number is the id of another record.
 * @param json the text of `given`
 */
export function numbersAsText(
  json: string,
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, string> {
  const numbers = names.filter((name) => typeof given[name] === 'number');
  if (numbers.length === 0) return {};
  const written = JSON.parse(quoteNumbers(json)) as Record<string, string>;
  return Object.fromEntries(numbers.map((name) => [name, integerIn(name, written[name] as string)]));
}

function quoteNumbers(json: string): string {
  return json.replace(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`));
}

function integerIn(field: string, text: string): string {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return text;
  throw validationError({ field, message: `${field} must be a safe integer or text` });
}
