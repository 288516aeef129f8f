import { Inject, Injectable } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { sealVault, vaultSealed } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { actionOf } from '../actor.js';
import { SessionRepository } from './session.repository.js';

@Injectable()
export class SealVault {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(SessionRepository) private readonly sessions: SessionRepository,
    @Inject(Outbox) private readonly outbox: Outbox,
  ) {}

  @Handles(sealVault)
  async handle({ params }: Input<typeof sealVault>, context: AccountContext): Promise<void> {
    const vault = { vaultId: params.vault_id, accountId: context.credential.accountId };
    await this.database.transaction(async (tx) => {
      const seal_epoch = await this.sessions.seal(tx, vault);
      const sealing = { ...actionOf(context, vault.vaultId), seal_epoch };
      await this.outbox.publish(tx, vaultSealed, sealing, context);
    });
    this.outbox.wake();
  }
}
