import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { endLink, type LinkEnded } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { ForgeRevocationClient } from '../transfer/forge-revocation-client.js';
import { VaultCounters } from '../vault/vault-counters.repository.js';
import { LinkReconciler } from './link-reconciler.js';

/** Sparks calls this before it answers the caller who revokes a link. If it fails, the event of that change does the same. */
@Controller()
export class EndLink {
  constructor(
    private readonly database: Database,
    private readonly vaults: VaultCounters,
    private readonly reconciler: LinkReconciler,
    private readonly transfers: ForgeRevocationClient,
  ) {}

  @Handles(endLink)
  async handle({ body }: Input<typeof endLink>, { requestId }: CallContext): Promise<LinkEnded> {
    const { account_id: accountId, vault_id, ingot_id: ingotId, link_id } = body;
    const ingot = { accountId, vaultId: vault_id, ingotId };
    await this.database.transaction(async (tx) => {
      await this.vaults.lock(tx, [vault_id]);
      await this.reconciler.linkEnded(tx, ingot, link_id);
    });
    const revocation = { vault_id, scope: 'dvak', subject_id: link_id } as const;
    return { are_downloads_ended: await this.transfers.revoke(revocation, requestId) };
  }
}
