import { Inject, Injectable } from '@nestjs/common';
import type { StructuredReading } from '@vaultsvc/contracts/vaults';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { OpenVault } from '../session/vault-access.js';
import { Overtaken, untilNotOvertaken } from '../version/overtaken.js';
import { inSlices } from './in-slices.js';
import { StructuredFinder, type FoundStructured } from './structured-finder.js';
import { StructuredKey } from './structured-key.js';
import { StructuredNames, type SealedName, type SealedNames } from './structured-names.repository.js';

/** What a structured ingot tells of itself: the names of its keys, never a value (STR-09). */
@Injectable()
export class StructuredDescription {
  constructor(
    @Inject(StructuredFinder) private readonly finder: StructuredFinder,
    @Inject(StructuredNames) private readonly names: StructuredNames,
  ) {}

  /** Throws what `StructuredFinder.find` does. */
  describe(vault: VaultIdentity, opened: OpenVault, reference: string): Promise<StructuredReading> {
    return untilNotOvertaken(async () => {
      const found = await this.finder.find(vault, reference);
      const sealed = await this.names.of(vault, found);
      if (!sealed) throw new Overtaken();
      const keys = await openedNames(vault, opened.vaultKey, found, sealed.names);
      return readingOf(found, sealed, keys);
    });
  }
}

async function openedNames(
  vault: VaultIdentity,
  vaultKey: Buffer,
  { ingotId, wrappedKey }: FoundStructured,
  sealed: readonly SealedName[],
): Promise<string[]> {
  const key = StructuredKey.open(vaultKey, { ...vault, ingotId }, wrappedKey);
  try {
    const names: string[] = [];
    for await (const slice of inSlices(sealed))
      for (const { blind, sealedName } of slice) names.push(key.openName(sealedName, blind));
    return inCodePointOrder(names);
  } finally {
    key.wipe();
  }
}

/** The order of UTF-8, which is that of code points; that of strings is not, outside the basic plane. */
function inCodePointOrder(names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, bytes: Buffer.from(name) }))
    .sort((one, other) => one.bytes.compare(other.bytes))
    .map(({ name }) => name);
}

function readingOf(
  { ingotId: ingot_id, name, createdAt }: FoundStructured,
  { version, keyCount: key_count, updatedAt }: SealedNames,
  keys: readonly string[],
): StructuredReading {
  return { ingot_id, name, version, key_count, keys, created_at: createdAt, updated_at: updatedAt };
}
