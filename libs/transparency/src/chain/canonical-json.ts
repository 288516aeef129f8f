import canonicalize from 'canonicalize';

/** A value that JSON can express. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A member may be absent as `undefined`; it is left out. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/**
 * The canonical JSON of an object (RFC 8785), as UTF-8: members in the order of their UTF-16 names, no whitespace.
 * @throws Error for a lone surrogate, NaN and infinity, which have no canonical form
 */
export function canonicalJson(value: JsonObject): Buffer {
  return Buffer.from(canonicalize(value) ?? '');
}
