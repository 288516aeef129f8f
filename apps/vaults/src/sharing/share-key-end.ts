import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { sharingDisabled } from '@vaultsvc/contracts/vaults';
import { statement, type Transaction } from '@vaultsvc/database';
import { actionOf } from '../actor.js';

/**
 * The end of the shares of a vault when its share key is revoked: with that key every wrap that it made is worthless.
 * There may be thousands, so their events alone end links and downloads; what they could open is gone with the commit.
 */
@Injectable()
export class ShareKeyEnd {
  /** In the transaction that revokes the key. Of a key that opens no shares there is nothing to end. */
  async endShares(tx: Transaction, vaultId: string, keyId: string, context: AccountContext): Promise<void> {
    await tx.query(touchIngots, [keyId]);
    const action = JSON.stringify(actionOf(context, vaultId));
    const ended = await tx.query(endShares, [keyId, context.requestId, action]);
    if (ended.length > 0) await tx.query(shredWraps, [vaultId]);
  }
}

// First the ingots, as everything that ends shares does; it keeps uploads from beginning in between.
const touchIngots = statement(
  'vaults.touch-ingots-of-share-key',
  `UPDATE ingots SET updated_at = greatest(now(), updated_at + interval '1 second')
    WHERE id IN (SELECT ingot_id FROM ingot_shares WHERE key_id = $1)`,
);

const endShares = statement(
  'vaults.end-shares-of-key',
  `WITH ended AS (DELETE FROM ingot_shares WHERE key_id = $1 RETURNING account_id, ingot_id, link_id)
   INSERT INTO outbox (name, account_id, request_id, payload)
   SELECT '${sharingDisabled.name}', account_id, $2, $3::jsonb || jsonb_build_object('ingot_id', ingot_id, 'link_id', link_id)
     FROM ended
   RETURNING id`,
);

const shredWraps = statement(
  'vaults.shred-shared-keys-of-vault',
  `UPDATE ingot_versions SET shared_key = NULL WHERE vault_id = $1 AND shared_key IS NOT NULL`,
);
