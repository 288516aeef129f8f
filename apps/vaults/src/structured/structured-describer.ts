import { Injectable } from '@nestjs/common';
import type { CallContext } from '@vaultsvc/contracts';
import type { StructuredReading } from '@vaultsvc/contracts/vaults';
import type { OpenVault } from '../session/vault-authorizer.js';
import { mapInChunks, runQueued, semaphores } from './chunked-work.js';
import { StructuredFinder } from './structured-finder.js';
import { StructuredKey, type StructuredIdentity } from './structured-key.js';
import {
  StructuredValueRepository,
  type SealedName,
  type SealedNames,
} from './structured-value.repository.js';

/** Describes a structured ingot: the names of its keys, never a value (STR-09). */
@Injectable()
export class StructuredDescriber {
  constructor(
    private readonly finder: StructuredFinder,
    private readonly values: StructuredValueRepository,
  ) {}

  /**
   * Throws what `StructuredFinder.find` and `StructuredValueRepository.listNames` do. Reading many names is queued as well
   * as opening them, since it occupies a connection for as long.
   */
  async describe(
    { ids, terms, vaultKey }: OpenVault,
    reference: string,
    { deadlineMs }: CallContext,
  ): Promise<StructuredReading> {
    const { ingotId, createdAt, keyCount } = await this.finder.find(ids, reference);
    return runQueued(semaphores.opening, keyCount, deadlineMs, async () => {
      const sealed = await this.values.listNames(ids, ingotId, terms.vatId);
      return {
        ingot_id: ingotId,
        name: sealed.name,
        version: sealed.version,
        key_count: sealed.keyCount,
        keys: await openNames({ ...ids, ingotId }, vaultKey, sealed, deadlineMs),
        created_at: createdAt,
        updated_at: sealed.updatedAt,
      };
    });
  }
}

async function openNames(
  ingot: StructuredIdentity,
  vaultKey: Buffer,
  { wrappedKey, names: sealed }: SealedNames,
  deadlineMs: number,
): Promise<string[]> {
  const key = StructuredKey.open(vaultKey, ingot, wrappedKey);
  try {
    const open = ({ blind, sealedName }: SealedName) => key.openName(sealedName, blind);
    return inCodePointOrder(await mapInChunks(sealed, deadlineMs, open));
  } finally {
    key.wipe();
  }
}

/** UTF-8 sorts by code point; JavaScript strings do not, outside the basic plane. */
function inCodePointOrder(names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, bytes: Buffer.from(name) }))
    .sort((one, other) => one.bytes.compare(other.bytes))
    .map(({ name }) => name);
}
