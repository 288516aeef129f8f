import { Injectable } from '@nestjs/common';
import { AppError, assertPoolsAvailable, type AccountContext } from '@vaultsvc/contracts';
import { structuredCreated, structuredOverwritten } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { ConcurrentModification, type Transaction } from '@vaultsvc/database';
import { ambiguous } from '../ingot/ingot-candidates.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { NamedStructured, type NewStructuredRow } from './named-structured.repository.js';
import { StructuredChanges } from './structured-changes.js';
import type { StructuredIdentity } from './structured-key.js';
import { StructuredValues, type SealedValue } from './structured-values.repository.js';

/** Where a name leads: to a new ingot at the root, or to one that is overwritten where it lies. */
export interface Target extends StructuredIdentity {
  readonly isNew: boolean;
}

/** Makes the structured ingot of a name, or begins the one that is there anew (AMB-43). */
@Injectable()
export class StructuredUpsert {
  constructor(
    private readonly rows: NamedStructured,
    private readonly values: StructuredValues,
    private readonly changes: StructuredChanges,
  ) {}

  /** Throws, in this order: 400, INGOT_NAME_AMBIGUOUS, INGOT_NAME_TAKEN, 402. */
  async plan(vault: VaultIdentity, name: string, context: AccountContext): Promise<Target> {
    const holders = await this.rows.holdersOf(vault, name);
    const [structured, ...others] = holders.filter(({ isStructured }) => isStructured);
    if (structured && others.length > 0) throw ambiguous([structured, ...others]);
    if (!structured && holders.length > 0) throw new AppError('INGOT_NAME_TAKEN');
    assertPoolsAvailable(context, 'storage', 'bandwidth');
    return { ...vault, ingotId: structured?.ingotId ?? newId('ing_'), isNew: !structured };
  }

  /** Gives when the ingot was made, in epoch seconds. Throws `ConcurrentModification` when the name leads elsewhere by now. */
  async write(
    tx: Transaction,
    { isNew }: Target,
    row: NewStructuredRow,
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
    await this.changes.record(tx, isNew ? structuredCreated : structuredOverwritten, row, written, context);
    return createdAt;
  }

  async #insert(tx: Transaction, row: NewStructuredRow) {
    const createdAt = await this.rows.insert(tx, row);
    if (createdAt === undefined) throw new ConcurrentModification();
    return { createdAt, freedBytes: 0 };
  }

  async #overwrite(tx: Transaction, row: NewStructuredRow) {
    const before = await this.rows.overwrite(tx, row);
    if (!before) throw new ConcurrentModification();
    await this.values.removeAll(tx, row);
    return { createdAt: before.createdAt, freedBytes: before.sizeBytes };
  }
}
