import { Injectable } from '@nestjs/common';
import { type AccountContext, AppError } from '@vaultsvc/contracts';
import { dvakRevoked, vaultActionOf } from '@vaultsvc/contracts/vaults';
import { Database, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { ShareKeyRepository } from './share-key.repository.js';
import { ForgeRevocationClient } from '../transfer/forge-revocation-client.js';
import { DvakRepository } from './dvak.repository.js';
import { RevocationRepository, type RevokedKey } from './revocation.repository.js';

/** Revokes DVAKs, and with them their shares and transfers. */
@Injectable()
export class DvakRevoker {
  constructor(
    private readonly database: Database,
    private readonly dvaks: DvakRepository,
    private readonly revocations: RevocationRepository,
    private readonly shareKeys: ShareKeyRepository,
    private readonly transfers: ForgeRevocationClient,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Revokes the key of a vault of the account that ends in these four characters. Returns the time in epoch seconds.
   * @throws DVAK_NOT_FOUND, or DVAK_REVOKED
   */
  async revoke(
    { vaultId, last4 }: { readonly vaultId: string; readonly last4: string },
    context: AccountContext,
  ): Promise<number> {
    const { id, revoked_at } = await this.database.transaction(async (tx) => {
      const revoked = await this.#revoke(tx, vaultId, last4);
      await this.shareKeys.endShares(tx, vaultId, revoked.id, context);
      const action = { ...vaultActionOf(context, vaultId), dvak_id: revoked.id };
      await this.outbox.publish(tx, dvakRevoked, action, context);
      return revoked;
    });
    await this.transfers.revoke({ vault_id: vaultId, scope: 'dvak', subject_id: id }, context.requestId);
    return revoked_at;
  }

  async #revoke(tx: Transaction, vaultId: string, last4: string): Promise<RevokedKey> {
    const revoked = await this.revocations.revoke(tx, vaultId, last4);
    if (revoked) return revoked;
    const status = await this.dvaks.statusOf(tx, vaultId, last4);
    throw new AppError(status === undefined ? 'DVAK_NOT_FOUND' : 'DVAK_REVOKED');
  }
}
