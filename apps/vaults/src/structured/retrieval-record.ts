import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { structuredRetrieved } from '@vaultsvc/contracts/vaults';
import { Outbox } from '@vaultsvc/messaging';
import { actionOf } from '../actor.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { SessionRepository } from '../session/session.repository.js';
import { VaultCounters } from '../version/vault-counters.repository.js';
import { SparkClaims } from './spark-claims.repository.js';
import { StructuredChanges } from './structured-changes.js';

/** Of which ingot values leave, and the access token that must be alive when they do. */
export interface Holding {
  readonly vault: VaultIdentity;
  readonly ingotId: string;
  readonly vatId: string;
}

/** Counts retrievals and tells of them. */
@Injectable()
export class RetrievalRecord {
  constructor(
    private readonly changes: StructuredChanges,
    private readonly sessions: SessionRepository,
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
    { vault, ingotId, vatId }: Holding,
    values: readonly { readonly sizeBytes: number }[],
    claim: string,
    context: AccountContext,
  ): Promise<void> {
    const { vaultId } = vault;
    const bytes = values.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const fact = { ...actionOf(context, vaultId), ingot_id: ingotId, value_count: values.length };
    return this.changes.run(
      vault,
      (tx) => this.sessions.hold(tx, vatId, vault),
      context,
      async (tx) => {
        await this.claims.settle(tx, claim);
        await this.counters.addTraffic(tx, [{ vaultId, ingotId, bytes, downloads: 1 }]);
        await this.outbox.publish(tx, structuredRetrieved, fact, context);
      },
    );
  }
}
