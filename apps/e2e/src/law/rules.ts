/** Rules of input fields: n is accepted, and n+1 is refused. */
export type Rule =
  | { readonly kind: 'range'; readonly min: number; readonly max: number }
  | { readonly kind: 'length'; readonly min: number; readonly max: number }
  | { readonly kind: 'bytes'; readonly max: number; readonly status: 400 | 413 }
  | { readonly kind: 'oneOf'; readonly values: readonly string[] }
  | { readonly kind: 'entries'; readonly max: number }
  | { readonly kind: 'flag' | 'text' | 'object' | 'cursor' | 'free' };

/** An integer (1.5 and "1" are refused, TRAP 67). */
export const range = (min: number, max = Number.MAX_SAFE_INTEGER): Rule => ({ kind: 'range', min, max });
/** Characters of a text. */
export const length = (min: number, max: number): Rule => ({ kind: 'length', min, max });
/** Bytes that are really sent; more are 413 (AMB-12). */
export const bytes = (max: number): Rule => ({ kind: 'bytes', max, status: 413 });
export const oneOf = (...values: string[]): Rule => ({ kind: 'oneOf', values });
/** Entries of a list. */
export const entries = (max: number): Rule => ({ kind: 'entries', max });
export const flag: Rule = { kind: 'flag' };
/** Text whose form the rows do not repeat. */
export const words: Rule = { kind: 'text' };
export const object: Rule = { kind: 'object' };
/** A signed position: anything else is 400 (ENV-15). */
export const cursor: Rule = { kind: 'cursor' };
/** Nothing is refused: a wrong value falls back (AMB-55). */
export const free: Rule = { kind: 'free' };

export interface Field {
  readonly rule: Rule;
  readonly required: boolean;
  /** What holds when the field is omitted. */
  readonly otherwise?: unknown;
  /** Whether the limits of the rule are tried; a field that depends on others is not. */
  readonly tried: boolean;
  /** The answer to a value within the bounds that is made up: a code that nobody issued. */
  readonly within?: '401 UNAUTHORIZED';
}

/** A required field. */
export const must = (rule: Rule): Field => ({ rule, required: true, tried: true });
/** An optional field, with its default. */
export const may = (rule: Rule, otherwise?: unknown): Field => ({
  rule,
  required: false,
  otherwise,
  tried: true,
});
/** The rule holds, but a valid value needs others beside it, so that only what is refused is tried. */
export const refused = (field: Field): Field => ({ ...field, tried: false });

/** A value that somebody must have issued: one within the bounds passes the validation, and is unknown. */
export const issued = (field: Field): Field => ({ ...field, within: '401 UNAUTHORIZED' });

export type Fields = Readonly<Record<string, Field>>;
