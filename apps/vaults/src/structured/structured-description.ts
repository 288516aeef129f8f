import { Injectable } from '@nestjs/common';
import type { CallContext } from '@vaultsvc/contracts';
import type { StructuredReading } from '@vaultsvc/contracts/vaults';
import type { OpenVault } from '../session/vault-access.js';
import { inLane, lanes, mapInTurns } from './in-slices.js';
import { StructuredFinder } from './structured-finder.js';
import { StructuredKey, type StructuredIdentity } from './structured-key.js';
import { StructuredNames, type SealedName, type SealedNames } from './structured-names.repository.js';

/** What a structured ingot tells of itself: the names of its keys, never a value (STR-09). */
@Injectable()
export class StructuredDescription {
  constructor(
    private readonly finder: StructuredFinder,
    private readonly names: StructuredNames,
  ) {}

  /**
   * Throws what `StructuredFinder.find` and `StructuredNames.of` do. Many names are read in turn too: they keep a
   * connection for as long.
   */
  async describe(
    { ids, terms, vaultKey }: OpenVault,
    reference: string,
    { deadlineMs }: CallContext,
  ): Promise<StructuredReading> {
    const { ingotId, createdAt, keyCount } = await this.finder.find(ids, reference);
    return inLane(lanes.opening, keyCount, deadlineMs, async () => {
      const sealed = await this.names.of(ids, ingotId, terms.vatId);
      return {
        ingot_id: ingotId,
        name: sealed.name,
        version: sealed.version,
        key_count: sealed.keyCount,
        keys: await openedNames({ ...ids, ingotId }, vaultKey, sealed, deadlineMs),
        created_at: createdAt,
        updated_at: sealed.updatedAt,
      };
    });
  }
}

async function openedNames(
  ingot: StructuredIdentity,
  vaultKey: Buffer,
  { wrappedKey, names: sealed }: SealedNames,
  deadlineMs: number,
): Promise<string[]> {
  const key = StructuredKey.open(vaultKey, ingot, wrappedKey);
  try {
    const open = ({ blind, sealedName }: SealedName) => key.openName(sealedName, blind);
    return inCodePointOrder(await mapInTurns(sealed, deadlineMs, open));
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
