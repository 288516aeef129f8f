import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { sealVault, vaultActionOf, vaultSealed } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { ForgeRevocationClient } from '../transfer/forge-revocation-client.js';
import { SessionRepository } from './session.repository.js';

@Controller()
export class SealVault {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionRepository,
    private readonly transfers: ForgeRevocationClient,
    private readonly outbox: Outbox,
  ) {}

  @Handles(sealVault)
  async handle({ params }: Input<typeof sealVault>, context: AccountContext): Promise<void> {
    const vault = { vaultId: params.vault_id, accountId: context.credential.accountId };
    const seal_epoch = await this.database.transaction(async (tx) => {
      const sealEpoch = await this.sessions.seal(tx, vault);
      const sealing = { ...vaultActionOf(context, vault.vaultId), seal_epoch: sealEpoch };
      await this.outbox.publish(tx, vaultSealed, sealing, context);
      return sealEpoch;
    });
    await this.transfers.revoke({ vault_id: vault.vaultId, scope: 'seal', seal_epoch }, context.requestId);
  }
}
