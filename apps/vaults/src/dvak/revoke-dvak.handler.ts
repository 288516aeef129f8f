import { Injectable } from '@nestjs/common';
import { type AccountContext, AppError, assertAdmin, type Input, validationError } from '@vaultsvc/contracts';
import { dvakRevoked, type RevokedDvak, revokeDvak, vaultActionOf } from '@vaultsvc/contracts/vaults';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles, Outbox } from '@vaultsvc/messaging';
import { ShareKeyRepository } from '../sharing/share-key.repository.js';
import { ForgeRevocationClient } from '../transfer/forge-revocation-client.js';
import { VaultRepository } from '../vault/vault.repository.js';
import { DvakRepository } from './dvak.repository.js';
import { RevocationRepository, type RevokedKey } from './revocation.repository.js';

@Injectable()
export class RevokeDvak {
  constructor(
    private readonly database: Database,
    private readonly vaults: VaultRepository,
    private readonly dvaks: DvakRepository,
    private readonly revocations: RevocationRepository,
    private readonly shareKeys: ShareKeyRepository,
    private readonly transfers: ForgeRevocationClient,
    private readonly outbox: Outbox,
  ) {}

  @Handles(revokeDvak)
  async handle({ params }: Input<typeof revokeDvak>, context: AccountContext): Promise<RevokedDvak> {
    assertAdmin(context);
    const { vault_id: vaultId, last4 } = params;
    await this.vaults.assertKnown({ vaultId, accountId: context.credential.accountId });
    assertLastFour(last4);
    const { id, revoked_at } = await this.database.transaction(async (tx) => {
      const revoked = await this.#revoke(tx, vaultId, last4);
      await this.shareKeys.endShares(tx, vaultId, revoked.id, context);
      const action = { ...vaultActionOf(context, vaultId), dvak_id: revoked.id };
      await this.outbox.publish(tx, dvakRevoked, action, context);
      return revoked;
    });
    this.outbox.wake();
    await this.transfers.revoke({ vault_id: vaultId, scope: 'dvak', subject_id: id }, context.requestId);
    return { last_4_chars: last4, status: 'revoked', revoked_at };
  }

  async #revoke(tx: Transaction, vaultId: string, last4: string): Promise<RevokedKey> {
    const revoked = await this.revocations.revoke(tx, vaultId, last4);
    if (revoked) return revoked;
    const status = await this.dvaks.statusOf(tx, vaultId, last4);
    throw new AppError(status === undefined ? 'DVAK_NOT_FOUND' : 'DVAK_REVOKED');
  }
}

function assertLastFour(last4: string): void {
  if ([...last4].length !== 4)
    throw validationError({ field: 'last4', message: 'last4 must have exactly 4 characters' });
  // All keys end in these characters, and PostgreSQL rejects NUL in text.
  if (!/^[0-9A-Za-z]{4}$/.test(last4)) throw new AppError('DVAK_NOT_FOUND');
}
