import { Controller } from '@nestjs/common';
import { type AccountContext, assertAdmin, type Input, validationError } from '@vaultsvc/contracts';
import {
  type UpdatedVault,
  updateVault,
  vaultActionOf,
  type VaultChange,
  vaultUpdated,
} from '@vaultsvc/contracts/vaults';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { VaultRepository } from './vault.repository.js';
import { VaultTransactionQueue } from './vault-transaction-queue.js';

@Controller()
export class UpdateVault {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly vaults: VaultRepository,
    private readonly outbox: Outbox,
  ) {}

  @Handles(updateVault)
  async handle({ params, body }: Input<typeof updateVault>, context: AccountContext): Promise<UpdatedVault> {
    assertAny(body);
    if (body.public_file_sharing !== undefined) assertAdmin(context); // OPEN-20
    const vault = { vaultId: params.vault_id, accountId: context.credential.accountId };
    return this.transactions.run(vault, context.deadlineMs, async (tx) => {
      const answer = await this.vaults.update(tx, vault, body);
      await this.outbox.publish(tx, vaultUpdated, vaultActionOf(context, vault.vaultId), context);
      return answer;
    });
  }
}

function assertAny({ name, description, public_file_sharing }: VaultChange): void {
  if (name !== undefined || description !== undefined || public_file_sharing !== undefined) return;
  throw validationError({
    field: '',
    message: 'at least one of name, description and public_file_sharing must be given',
  });
}
