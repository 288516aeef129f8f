import { statement, type Statement } from './statement.js';

/** A statement whose values have names. */
export interface NamedStatement<Values extends object> extends Statement {
  /** The values in the order of their placeholders. */
  valuesOf(this: void, values: Values): unknown[];
}

/**
 * A statement with too many values to count: `textOf` writes `${v.account_id}` where others have `$1`, and the compiler checks
 * the names against the type. The text is made once; a call only builds the array of its values.
 */
export function namedStatement<Values extends object, Row extends object = object>(
  name: string,
  textOf: (v: Readonly<Record<keyof Values & string, string>>) => string,
  hasPublished?: (rows: readonly Row[]) => boolean,
): NamedStatement<Values> {
  const names: (keyof Values & string)[] = [];
  const placeholders = new Proxy({} as Record<keyof Values & string, string>, {
    get: (_, value) => `$${placeOf(names, value as keyof Values & string)}`,
  });
  const valuesOf = (values: Values) => names.map((value) => values[value]);
  return Object.freeze({ ...statement(name, textOf(placeholders), hasPublished), valuesOf });
}

/** The place of a value, from 1; a new one gets the next. */
function placeOf<T>(names: T[], name: T): number {
  const place = names.indexOf(name) + 1;
  return place > 0 ? place : names.push(name);
}
