import { payloadTooLarge, validationError, type AppError } from '@vaultsvc/contracts';
import { VALUE_BYTES_MAX, type KeyValues, type StructuredChange } from '@vaultsvc/contracts/vaults';

/** A value as its Spark will contain it (OPEN-19): a string as it is, anything else as JSON text. */
export interface KeyValue {
  readonly name: string;
  readonly contentType: 'text/plain' | 'application/json';
  /** The owner of the array calls `wipeValues` when done. */
  readonly content: Buffer;
}

/** The keys to set and the names of the keys to remove; no name is in both. */
export interface KeyChange {
  readonly set: readonly KeyValue[];
  readonly removed: readonly string[];
}

/** Throws 400 for neither list (STR-14) or a key in both, then PAYLOAD_TOO_LARGE (AMB-12). Lists may be empty. */
export function keyChangeOf(change: StructuredChange): KeyChange {
  if (change.set === undefined && change.delete === undefined)
    throw validationError({ field: '', message: 'set or delete must be given' });
  const { set = {}, delete: removed = [] } = change;
  const names = new Set(Object.keys(set));
  const index = removed.findIndex((name) => names.has(name));
  if (index >= 0) throw validationError({ field: 'delete', message: `key ${index + 1} is in set as well` });
  return { set: keyValuesOf('set', set), removed: [...new Set(removed)] };
}

/**
 * The own properties of this field of a body, whatever their names. Throws PAYLOAD_TOO_LARGE with the position of the
 * first value above 1,048,576 bytes (AMB-12), since the body as a whole may be larger.
 */
export function keyValuesOf(field: 'data' | 'set', data: KeyValues): KeyValue[] {
  // All texts before the first buffer: a refused call leaves no buffer to wipe.
  const texts = Object.entries(data).map(([name, value]) => ({ name, ...textOf(value) }));
  const large = texts.findIndex(({ text }) => Buffer.byteLength(text) > VALUE_BYTES_MAX);
  if (large >= 0) throw tooLarge(`${field} key ${large + 1}`, field);
  return texts.map(({ name, contentType, text }) => ({ name, contentType, content: Buffer.from(text) }));
}

function textOf(value: unknown): { readonly text: string; readonly contentType: KeyValue['contentType'] } {
  if (typeof value === 'string') return { text: value, contentType: 'text/plain' };
  return { text: JSON.stringify(value), contentType: 'application/json' };
}

function tooLarge(key: string, field: string): AppError {
  const message = `${key}: a value must have at most ${VALUE_BYTES_MAX} bytes`;
  return payloadTooLarge('value', VALUE_BYTES_MAX, { field, message });
}

/** Bytes of all contents. */
export function bytesOf(values: readonly { readonly content: Buffer }[]): number {
  return values.reduce((bytes, { content }) => bytes + content.length, 0);
}

/** Fills the contents with zeros. */
export function wipeValues(values: readonly KeyValue[]): void {
  for (const { content } of values) content.fill(0);
}
