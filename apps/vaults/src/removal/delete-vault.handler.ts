import { Controller } from '@nestjs/common';
import { type AccountContext, assertFullSeat, type Input } from '@vaultsvc/contracts';
import { type DeletedVault, deleteVault, vaultActionOf, vaultDeleted } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { LinkRevoker } from '../sharing/link-revoker.js';
import { ForgeRevocationClient } from '../transfer/forge-revocation-client.js';
import { RemovalRepository } from './removal.repository.js';

@Controller()
export class DeleteVault {
  constructor(
    private readonly database: Database,
    private readonly removals: RemovalRepository,
    private readonly transfers: ForgeRevocationClient,
    private readonly links: LinkRevoker,
    private readonly outbox: Outbox,
  ) {}

  @Handles(deleteVault)
  async handle({ params }: Input<typeof deleteVault>, context: AccountContext): Promise<DeletedVault> {
    assertFullSeat(context);
    const { vault_id } = params;
    const vault = { vaultId: vault_id, accountId: context.credential.accountId };
    await this.database.transaction(async (tx) => {
      const removed = await this.removals.mark(tx, vault);
      if (!removed) return;
      const fact = { ...vaultActionOf(context, vault_id), ...removed };
      await this.outbox.publish(tx, vaultDeleted, fact, context);
    });
    const { accountId: account_id } = vault;
    await Promise.all([
      this.transfers.revoke({ vault_id, scope: 'vault' }, context.requestId),
      this.links.revoke({ account_id, vault_id, reason: 'removed' }, context.requestId),
    ]);
    return { vault_id, status: 'deleting' };
  }
}
