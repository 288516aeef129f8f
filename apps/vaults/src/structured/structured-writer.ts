import { Injectable } from '@nestjs/common';
import { AppError, validationError, type AccountContext } from '@vaultsvc/contracts';
import {
  STRUCTURED_KEYS_MAX,
  structuredCreated,
  structuredOverwritten,
  structuredUpdated,
  type StructuredUpdated,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { ConcurrentModification, type Transaction } from '@vaultsvc/database';
import { ambiguous } from '../ingot/ingot-finder.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { FoundStructured } from './structured-finder.js';
import type { StructuredIdentity } from './structured-key.js';
import { StructuredTransactions } from './structured-transactions.js';
import {
  StructuredValueRepository,
  type RemovedValues,
  type SealedValue,
} from './structured-value.repository.js';
import { StructuredRepository, type StructuredInsert } from './structured.repository.js';

/** The ingot that a name resolves to: a new one at the root, or an existing one, overwritten in its folder. */
export interface Target extends StructuredIdentity {
  readonly isNew: boolean;
}

/** A change, sealed with the key of the version that was found, for the next version. */
export interface SealedChange {
  readonly set: readonly SealedValue[];
  readonly removed: readonly Buffer[];
}

/** Creates, overwrites and updates structured ingots, each with its counters and its event. */
@Injectable()
export class StructuredWriter {
  constructor(
    private readonly rows: StructuredRepository,
    private readonly values: StructuredValueRepository,
    private readonly transactions: StructuredTransactions,
  ) {}

  /** Resolves the name of an upsert (AMB-43). Throws, in this order: 400, INGOT_NAME_AMBIGUOUS, INGOT_NAME_TAKEN. */
  async findTarget(vault: VaultIdentity, name: string): Promise<Target> {
    const holders = await this.rows.findNameHolders(vault, name);
    const [structured, ...others] = holders.filter(({ isStructured }) => isStructured);
    if (structured && others.length > 0) throw ambiguous([structured, ...others]);
    if (!structured && holders.length > 0) throw new AppError('INGOT_NAME_TAKEN');
    return { ...vault, ingotId: structured?.ingotId ?? newId('ing_'), isNew: !structured };
  }

  /** Returns `created_at` in epoch seconds. Throws `ConcurrentModification` when the name resolves to another ingot by now. */
  async upsert(
    tx: Transaction,
    { isNew }: Target,
    row: StructuredInsert,
    values: readonly SealedValue[],
    context: AccountContext,
  ): Promise<number> {
    const { createdAt, freedBytes } = isNew ? await this.#insert(tx, row) : await this.#overwrite(tx, row);
    await this.values.insert(tx, row, 1, values);
    const { keyCount: key_count, sizeBytes } = row;
    const written = {
      ingots: isNew ? 1 : 0,
      version: 1,
      key_count,
      stored_bytes: sizeBytes - freedBytes,
      written_bytes: sizeBytes,
    };
    const event = isNew ? structuredCreated : structuredOverwritten;
    await this.transactions.record(tx, event, row, written, context);
    return createdAt;
  }

  /**
   * Sets and removes keys, all or none. Throws STRUCTURED_OVERTAKEN, INGOT_NOT_FOUND, or 400 when the ingot would have
   * more than 10,000 keys (STR-25).
   */
  async update(
    tx: Transaction,
    vault: VaultIdentity,
    found: FoundStructured,
    change: SealedChange,
    context: AccountContext,
  ): Promise<StructuredUpdated> {
    const ingot = { ...vault, ingotId: found.ingotId };
    const [version, keyCount] = [found.version + 1, await this.rows.advance(tx, vault, found)];
    const removed = await this.values.remove(tx, ingot, blindsIn(change));
    const key_count = keyCount - removed.count + change.set.length;
    assertKeyCount(key_count);
    await this.values.insert(tx, ingot, version, change.set);
    const written = { version, key_count, ...bytesIn(change, removed) };
    const updated_at = await this.rows.settle(tx, ingot.ingotId, key_count, written.stored_bytes);
    await this.transactions.record(tx, structuredUpdated, ingot, { ...written, ingots: 0 }, context);
    return { ingot_id: ingot.ingotId, version, key_count, updated_at };
  }

  async #insert(tx: Transaction, row: StructuredInsert) {
    const createdAt = await this.rows.insert(tx, row);
    if (createdAt === undefined) throw new ConcurrentModification();
    return { createdAt, freedBytes: 0 };
  }

  async #overwrite(tx: Transaction, row: StructuredInsert) {
    const before = await this.rows.overwrite(tx, row);
    if (!before) throw new ConcurrentModification();
    await this.values.removeAll(tx, row);
    return { createdAt: before.createdAt, freedBytes: before.sizeBytes };
  }
}

function blindsIn({ set, removed }: SealedChange): Buffer[] {
  return [...removed, ...set.map(({ blind }) => blind)];
}

function bytesIn({ set }: SealedChange, removed: RemovedValues) {
  const written_bytes = set.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
  return { written_bytes, stored_bytes: written_bytes - removed.bytes };
}

function assertKeyCount(keyCount: number): void {
  if (keyCount <= STRUCTURED_KEYS_MAX) return;
  const message = `the ingot would have ${keyCount} keys; it may have ${STRUCTURED_KEYS_MAX}`;
  throw validationError({ field: 'set', message });
}
