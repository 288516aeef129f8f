import { mapInChunks, runQueued, semaphores } from './chunked-work.js';
import type { KeyValue } from './key-value.js';
import type { StructuredKey } from './structured-key.js';
import type { SealedValue } from './structured-value.repository.js';

/** Seals values as those of this version; the caller wipes their plaintext. Throws `Busy` near the deadline. */
export function sealValues(
  key: StructuredKey,
  values: readonly KeyValue[],
  version: number,
  deadlineMs: number,
): Promise<SealedValue[]> {
  return mapQueued(values, deadlineMs, (value) => sealValue(key, value, version));
}

/** The blind indexes of key names, whether the keys exist or not. Throws `Busy` near the deadline. */
export function blindsOf(
  key: StructuredKey,
  names: readonly string[],
  deadlineMs: number,
): Promise<Buffer[]> {
  return mapQueued(names, deadlineMs, (name) => key.blind(name));
}

function mapQueued<T, R>(items: readonly T[], deadlineMs: number, map: (item: T) => R): Promise<R[]> {
  return runQueued(semaphores.sealing, items.length, deadlineMs, () => mapInChunks(items, deadlineMs, map));
}

function sealValue(
  key: StructuredKey,
  { name, content, contentType }: KeyValue,
  version: number,
): SealedValue {
  const blind = key.blind(name);
  return {
    blind,
    sealedName: key.sealName(name, blind),
    sealedValue: key.sealValue(content, { blind, version, contentType }),
    contentType,
    sizeBytes: content.length,
  };
}
