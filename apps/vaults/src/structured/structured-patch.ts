import { Injectable } from '@nestjs/common';
import { validationError, type AccountContext } from '@vaultsvc/contracts';
import { STRUCTURED_KEYS_MAX, structuredUpdated, type StructuredUpdated } from '@vaultsvc/contracts/vaults';
import type { Transaction } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import { StructuredChanges } from './structured-changes.js';
import type { FoundStructured } from './structured-finder.js';
import { StructuredValues, type RemovedValues, type SealedValue } from './structured-values.repository.js';
import { StructuredRepository } from './structured.repository.js';

/** A change as it is written: by the key of the version that was found, for the one after it. */
export interface SealedChange {
  readonly set: readonly SealedValue[];
  readonly removed: readonly Buffer[];
}

/** Changes single keys of a structured ingot, all of it or nothing. */
@Injectable()
export class StructuredPatch {
  constructor(
    private readonly rows: StructuredRepository,
    private readonly values: StructuredValues,
    private readonly changes: StructuredChanges,
  ) {}

  /** Throws STRUCTURED_OVERTAKEN, INGOT_NOT_FOUND, or 400 when there would be more than 10,000 keys (STR-25). */
  async apply(
    tx: Transaction,
    vault: VaultIdentity,
    found: FoundStructured,
    change: SealedChange,
    context: AccountContext,
  ): Promise<StructuredUpdated> {
    const ingot = { ...vault, ingotId: found.ingotId };
    const [version, keyCount] = [found.version + 1, await this.rows.advance(tx, vault, found)];
    const gone = await this.values.remove(tx, ingot, blindsIn(change));
    const key_count = keyCount - gone.count + change.set.length;
    assertRoom(key_count);
    await this.values.insert(tx, ingot, version, change.set);
    const written = { version, key_count, ...bytesIn(change, gone) };
    const updated_at = await this.rows.settle(tx, ingot.ingotId, key_count, written.stored_bytes);
    await this.changes.record(tx, structuredUpdated, ingot, { ...written, ingots: 0 }, context);
    return { ingot_id: ingot.ingotId, version, key_count, updated_at };
  }
}

function blindsIn({ set, removed }: SealedChange): Buffer[] {
  return [...removed, ...set.map(({ blind }) => blind)];
}

function bytesIn({ set }: SealedChange, gone: RemovedValues) {
  const written_bytes = set.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
  return { written_bytes, stored_bytes: written_bytes - gone.bytes };
}

function assertRoom(keyCount: number): void {
  if (keyCount <= STRUCTURED_KEYS_MAX) return;
  const message = `the ingot would have ${keyCount} keys; it may have ${STRUCTURED_KEYS_MAX}`;
  throw validationError({ field: 'set', message });
}
