import { Inject, Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { structuredRetrieved } from '@vaultsvc/contracts/vaults';
import { Outbox } from '@vaultsvc/messaging';
import { actionOf } from '../actor.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { SessionRepository } from '../session/session.repository.js';
import { Overtaken } from '../version/overtaken.js';
import { VaultCounters } from '../version/vault-counters.repository.js';
import { AskedValues } from './asked-values.repository.js';
import { StructuredChanges } from './structured-changes.js';
import type { FoundStructured } from './structured-finder.js';

/** What must be so still when values leave: the vault, the ingot with the key that it had, and the access token. */
export interface Holding {
  readonly vault: VaultIdentity;
  readonly found: FoundStructured;
  readonly vatId: string;
}

/** Counts retrievals and tells of them. */
@Injectable()
export class RetrievalRecord {
  constructor(
    @Inject(StructuredChanges) private readonly changes: StructuredChanges,
    @Inject(SessionRepository) private readonly sessions: SessionRepository,
    @Inject(AskedValues) private readonly values: AskedValues,
    @Inject(VaultCounters) private readonly counters: VaultCounters,
    @Inject(Outbox) private readonly outbox: Outbox,
  ) {}

  /** Throws AUTHENTICATION_ERROR or VAULT_NOT_FOUND when token or vault have ended, `Overtaken` when the ingot has. */
  commit(
    { vault, found, vatId }: Holding,
    values: readonly { readonly sizeBytes: number }[],
    context: AccountContext,
  ): Promise<void> {
    const { vaultId } = vault;
    const bytes = values.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const hold = (tx: Parameters<SessionRepository['hold']>[0]) => this.sessions.hold(tx, vatId, vault);
    return this.changes.run(vault, hold, async (tx) => {
      if (!(await this.values.isCurrent(tx, vault, found))) throw new Overtaken();
      await this.counters.addTraffic(tx, [{ vaultId, ingotId: found.ingotId, bytes, downloads: 1 }]);
      const fact = { ...actionOf(context, vaultId), ingot_id: found.ingotId, value_count: values.length };
      await this.outbox.publish(tx, structuredRetrieved, fact, context);
    });
  }
}
