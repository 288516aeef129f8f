/**
 * The notation of the golden table. A row is written by hand from the requirements, never derived from the contracts: a test
 * that reads status and shape from the contract cannot notice a wrong contract. So nothing here imports libs/contracts.
 */

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Route = `${Method} /${string}`;

/** What an answer or an input field may hold. */
export interface Type {
  readonly kind: 'text' | 'int' | 'number' | 'bool' | 'time' | 'iso' | 'url' | 'any' | 'map' | 'is' | 'one';
  /** The literals of `is`. */
  readonly values?: readonly (string | number | boolean | null)[];
  /** The prefix of an id, ENV-18. */
  readonly prefix?: string;
  /** The form of a text. */
  readonly pattern?: RegExp;
  readonly nullable?: true;
  /** May be absent. All other members are always there. */
  readonly optional?: true;
  /** Members of an object, item of a list or a map, alternatives. */
  readonly members?: Members;
  readonly item?: Shape;
  readonly shapes?: readonly Members[];
}

/** Members of an object: all of them, and no others (ENV-04). */
export interface Members {
  readonly [name: string]: Shape;
}

/** A type, an object by its members, or a list by its item. */
export type Shape = Type | Members | readonly [Shape];

export const text: Type = { kind: 'text' };
export const int: Type = { kind: 'int' };
export const number: Type = { kind: 'number' };
export const bool: Type = { kind: 'bool' };
/** Epoch seconds, never milliseconds (ENV-08). */
export const time: Type = { kind: 'time' };
/** ISO 8601, only where a text says so (AMB-34). */
export const iso: Type = { kind: 'iso' };
export const url: Type = { kind: 'url' };
/** Any JSON value. */
export const any: Type = { kind: 'any' };
/** An id with its prefix (ENV-18, ENV-19). */
export const id = (prefix: string): Type => ({ kind: 'text', prefix: `${prefix}_` });
/** A text of a form. */
export const form = (pattern: RegExp): Type => ({ kind: 'text', pattern });
/** One of these literals. */
export const is = (...values: (string | number | boolean)[]): Type => ({ kind: 'is', values });
/** Always null. */
export const nothing: Type = { kind: 'is', values: [null] };
/** An object with free names. */
export const map = (item: Shape = any): Type => ({ kind: 'map', item });
/** One of several objects. */
export const oneShape = (...shapes: Members[]): Type => ({ kind: 'one', shapes });

/** null is allowed. */
export const orNull = (shape: Shape): Type => ({ ...typeOf(shape), nullable: true });
/** The member may be absent. */
export const opt = (shape: Shape): Type => ({ ...typeOf(shape), optional: true });

/** A shape as a type: objects have `members`, lists `item`. */
export function typeOf(shape: Shape): Type {
  if (Array.isArray(shape)) return { kind: 'any', item: shape[0] as Shape };
  return isType(shape as Type | Members) ? (shape as Type) : { kind: 'any', members: shape as Members };
}

const isType = (shape: Type | Members): shape is Type => typeof (shape as Type).kind === 'string';

/** A page of a list (ENV-13, ENV-14): `next_cursor` is absent on the last one. */
export const page = (name: string, item: Shape): Members => ({
  [name]: [item],
  count: int,
  has_more: bool,
  next_cursor: opt(text),
});
