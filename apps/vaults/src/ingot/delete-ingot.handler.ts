import { Controller } from '@nestjs/common';
import type { Input, VaultContext } from '@vaultsvc/contracts';
import { deleteIngot } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { LinkRevoker } from '../link/link-revoker.js';
import { VaultAccess } from '../session/vault-access.js';
import { ForgeRevocationClient } from '../transfer/forge-revocation-client.js';
import { VaultCounters } from '../version/vault-counters.repository.js';
import { IngotDeletion } from './ingot-deletion.js';
import { IngotFinder } from './ingot-finder.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';

@Controller()
export class DeleteIngot {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly access: VaultAccess,
    private readonly finder: IngotFinder,
    private readonly counters: VaultCounters,
    private readonly deletion: IngotDeletion,
    private readonly transfers: ForgeRevocationClient,
    private readonly links: LinkRevoker,
  ) {}

  @Handles(deleteIngot)
  async handle({ params }: Input<typeof deleteIngot>, context: VaultContext): Promise<void> {
    const { vault_id } = params;
    const { ids, lock } = await this.access.authorize(params, context, 'write');
    const { ingotId } = await this.finder.find(ids, params.ingot_id);
    await this.transactions.run(ids, context.deadlineMs, async (tx) => {
      await this.counters.lock(tx, [vault_id]);
      await lock(tx);
      await this.deletion.delete(tx, ids, ingotId, context);
    });
    const { accountId: account_id } = ids;
    await Promise.all([
      this.transfers.revoke({ vault_id, scope: 'ingot', subject_id: ingotId }, context.requestId),
      this.links.revoke({ account_id, vault_id, ingot_id: ingotId, reason: 'removed' }, context.requestId),
    ]);
  }
}
