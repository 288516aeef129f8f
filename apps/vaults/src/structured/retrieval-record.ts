import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { structuredRetrieved } from '@vaultsvc/contracts/vaults';
import { Outbox } from '@vaultsvc/messaging';
import { actionOf } from '../actor.js';
import type { LockVault } from '../session/vault-access.js';
import { VaultCounters } from '../version/vault-counters.repository.js';
import { SparkClaims } from './spark-claims.repository.js';
import { StructuredChanges } from './structured-changes.js';
import type { StructuredIdentity } from './structured-key.js';

/** The ingot whose values are released, and the lock that proves the access token to be alive. */
export interface RetrievedIngot {
  readonly ingot: StructuredIdentity;
  readonly lock: LockVault;
}

/** Counts retrievals and tells of them. */
@Injectable()
export class RetrievalRecord {
  constructor(
    private readonly changes: StructuredChanges,
    private readonly counters: VaultCounters,
    private readonly claims: SparkClaims,
    private readonly outbox: Outbox,
  ) {}

  /**
   * `claim` is that of the values' Sparks, which may leave with this. Throws AUTHENTICATION_ERROR or VAULT_NOT_FOUND when
   * token or vault have ended, and what `SparkClaims.settle` does. The ingot may have gone or changed
   * since its values were read: they are those of before, as Sparks that are there already would be.
   */
  commit(
    { ingot, lock }: RetrievedIngot,
    values: readonly { readonly sizeBytes: number }[],
    claim: string,
    context: AccountContext,
  ): Promise<void> {
    const { vaultId, ingotId } = ingot;
    const bytes = values.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const fact = { ...actionOf(context, vaultId), ingot_id: ingotId, value_count: values.length };
    return this.changes.run(ingot, lock, context, async (tx) => {
      await this.claims.settle(tx, claim);
      await this.counters.addTraffic(tx, [{ vaultId, ingotId, bytes, downloads: 1 }]);
      await this.outbox.publish(tx, structuredRetrieved, fact, context);
    });
  }
}
