import { inTurns, lanes } from './in-slices.js';
import type { KeyValue } from './key-value.js';
import type { StructuredKey } from './structured-key.js';
import type { SealedValue } from './structured-values.repository.js';

/** Seals values as those of this version. Leaves their plaintext to the caller. Throws what `inTurns` does. */
export async function sealValues(
  key: StructuredKey,
  values: readonly KeyValue[],
  version: number,
  deadlineMs: number,
): Promise<SealedValue[]> {
  const sealed: SealedValue[] = [];
  for await (const slice of inTurns(values, lanes.sealing, deadlineMs))
    for (const value of slice) sealed.push(sealValue(key, value, version));
  return sealed;
}

/** What finds these keys, whether they are there or not. */
export async function blindsOf(
  key: StructuredKey,
  names: readonly string[],
  deadlineMs: number,
): Promise<Buffer[]> {
  const blinds: Buffer[] = [];
  for await (const slice of inTurns(names, lanes.sealing, deadlineMs))
    for (const name of slice) blinds.push(key.blind(name));
  return blinds;
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
