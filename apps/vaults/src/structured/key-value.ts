import { AppError } from '@vaultsvc/contracts';
import { VALUE_BYTES_MAX, type KeyValues } from '@vaultsvc/contracts/vaults';

/** A value as its Spark will give it (OPEN-19): a string as it is, anything else as JSON text. */
export interface KeyValue {
  readonly name: string;
  readonly contentType: 'text/plain' | 'application/json';
  /** Whoever takes it fills it with 0 when done. */
  readonly content: Buffer;
}

/** Own properties, whatever they are called. Throws PAYLOAD_TOO_LARGE for a value above 1,048,576 bytes (AMB-12). */
export function keyValuesOf(data: KeyValues): KeyValue[] {
  return Object.entries(data).map(([name, value]) => keyValue(name, value));
}

function keyValue(name: string, value: unknown): KeyValue {
  const isText = typeof value === 'string';
  const content = Buffer.from(isText ? value : JSON.stringify(value));
  if (content.length > VALUE_BYTES_MAX)
    throw new AppError('PAYLOAD_TOO_LARGE', { bytes_max: VALUE_BYTES_MAX });
  return { name, contentType: isText ? 'text/plain' : 'application/json', content };
}

/** Bytes of all of them. */
export function bytesOf(values: readonly { readonly content: Buffer }[]): number {
  return values.reduce((bytes, { content }) => bytes + content.length, 0);
}

/** Fills their contents with 0. */
export function forget(values: readonly KeyValue[]): void {
  for (const { content } of values) content.fill(0);
}
