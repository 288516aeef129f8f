import { inLane, lanes, mapInTurns } from './in-slices.js';
import type { KeyValue } from './key-value.js';
import type { StructuredKey } from './structured-key.js';
import type { SealedValue } from './structured-values.repository.js';

/** Seals values as those of this version. Leaves their plaintext to the caller. Throws `Busy` when there is no time. */
export function sealValues(
  key: StructuredKey,
  values: readonly KeyValue[],
  version: number,
  deadlineMs: number,
): Promise<SealedValue[]> {
  return ofEach(values, deadlineMs, (value) => sealValue(key, value, version));
}

/** What finds these keys, whether they are there or not. */
export function blindsOf(
  key: StructuredKey,
  names: readonly string[],
  deadlineMs: number,
): Promise<Buffer[]> {
  return ofEach(names, deadlineMs, (name) => key.blind(name));
}

function ofEach<T, R>(things: readonly T[], deadlineMs: number, one: (thing: T) => R): Promise<R[]> {
  return inLane(lanes.sealing, things.length, deadlineMs, () => mapInTurns(things, deadlineMs, one));
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
