import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { activateVersion, type VersionActivation } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultCounters } from '../vault/vault-counters.repository.js';
import { idsOf, receivedOf, VersionLifecycle } from './version-lifecycle.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';

/**
 * Forge calls this before it answers the last byte of an upload. When the call fails, the event of the same moment
 * activates the version.
 */
@Controller()
export class ActivateVersion {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly counters: VaultCounters,
    private readonly lifecycle: VersionLifecycle,
  ) {}

  @Handles(activateVersion)
  async handle(
    { body }: Input<typeof activateVersion>,
    { requestId, deadlineMs }: CallContext,
  ): Promise<VersionActivation> {
    const from = { requestId, accountId: body.account_id };
    const is_active = await this.transactions.run(idsOf(body), deadlineMs, async (tx) => {
      const locked = await this.counters.lock(tx, [body.vault_id]);
      return locked.size > 0 && this.lifecycle.activate(tx, idsOf(body), receivedOf(body), from);
    });
    return { is_active };
  }
}
