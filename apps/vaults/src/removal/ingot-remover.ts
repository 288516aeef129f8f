import { Injectable } from '@nestjs/common';
import type { VaultContext } from '@vaultsvc/contracts';
import type { VaultIdentity } from '../keys/vault-key.js';
import { LinkRevoker } from '../sharing/link-revoker.js';
import { VaultAuthorizer } from '../session/vault-authorizer.js';
import { ForgeRevocationClient } from '../transfer/forge-revocation-client.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';
import { VaultCounters } from '../vault/vault-counters.repository.js';
import { IngotDeletion } from './ingot-deletion.js';
import type { FoundIngot } from '../ingot/ingot-finder.js';

/** What is deleted, and how it is found once the token is verified. */
export interface RemovalTarget {
  readonly vault_id: string;
  readonly find: (vault: VaultIdentity) => Promise<FoundIngot>;
}

/** Deletes an ingot with a Vault Access Token, and ends its transfers and links before it answers. */
@Injectable()
export class IngotRemover {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly access: VaultAuthorizer,
    private readonly counters: VaultCounters,
    private readonly deletion: IngotDeletion,
    private readonly transfers: ForgeRevocationClient,
    private readonly links: LinkRevoker,
  ) {}

  /** Returns the id of the ingot. */
  async remove(target: RemovalTarget, context: VaultContext): Promise<string> {
    const { ids, lock } = await this.access.authorize(target, context, 'write');
    const { ingotId } = await target.find(ids);
    await this.transactions.run(ids, context.deadlineMs, async (tx) => {
      await this.counters.lock(tx, [ids.vaultId]);
      await lock(tx);
      await this.deletion.delete(tx, ids, ingotId, context);
    });
    await this.#end(ids, ingotId, context.requestId);
    return ingotId;
  }

  async #end({ vaultId, accountId }: VaultIdentity, ingotId: string, requestId: string): Promise<void> {
    const ingot = { account_id: accountId, vault_id: vaultId, ingot_id: ingotId };
    await Promise.all([
      this.transfers.revoke({ vault_id: vaultId, scope: 'ingot', subject_id: ingotId }, requestId),
      this.links.revoke({ ...ingot, reason: 'removed' }, requestId),
    ]);
  }
}
