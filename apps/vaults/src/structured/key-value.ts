import { AppError } from '@vaultsvc/contracts';
import { VALUE_BYTES_MAX, type KeyValues } from '@vaultsvc/contracts/vaults';

/** A value as its Spark will give it (OPEN-19): a string as it is, anything else as JSON text. */
export interface KeyValue {
  readonly name: string;
  readonly contentType: 'text/plain' | 'application/json';
  /** Whoever takes it fills it with 0 when done. */
  readonly content: Buffer;
}

/**
 * Own properties of this field of a body, whatever they are called. Throws PAYLOAD_TOO_LARGE for a value above 1,048,576
 * bytes (AMB-12), and says which: the body as a whole may have more.
 */
export function keyValuesOf(field: 'data' | 'set', data: KeyValues): KeyValue[] {
  // All texts before the first buffer: a call that is refused leaves none that nobody would fill with 0.
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
  return new AppError('PAYLOAD_TOO_LARGE', { bytes_max: VALUE_BYTES_MAX, fields: [{ field, message }] });
}

/** Bytes of all of them. */
export function bytesOf(values: readonly { readonly content: Buffer }[]): number {
  return values.reduce((bytes, { content }) => bytes + content.length, 0);
}

/** Fills their contents with 0. */
export function forget(values: readonly KeyValue[]): void {
  for (const { content } of values) content.fill(0);
}
