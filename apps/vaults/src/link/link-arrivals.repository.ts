import { Injectable } from '@nestjs/common';
import type { LinkAction } from '@vaultsvc/contracts/sparks';
import { linkOrphaned } from '@vaultsvc/contracts/vaults';
import { statement, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';

/** A link of an ingot that sparks has made. */
type Arrival = Pick<LinkAction, 'account_id' | 'link_id' | 'asset_id'> & { readonly vault_id: string };

/**
 * Links as they come to be at sparks. What a link opens is committed here before sparks is asked for the link; where it
 * is no longer here, its end was told before the link was there, and found none. So it is told again, as what it is.
 */
@Injectable()
export class LinkArrivals {
  constructor(private readonly outbox: Outbox) {}

  /** Marks the share of a durable link; tells of a link that has nothing to open. Twice does no harm. */
  async take(tx: Transaction, { account_id, vault_id, asset_id, link_id }: Arrival): Promise<void> {
    await tx.query(markShare, [link_id]);
    const [orphan] = await tx.query<{ is_ingot_gone: boolean }>(findOrphan, [link_id, asset_id, vault_id]);
    if (!orphan) return;
    const fact = { account_id, vault_id, ingot_id: asset_id, link_id, ...orphan };
    await this.outbox.publish(tx, linkOrphaned, fact, { requestId: null, accountId: account_id });
    tx.afterCommit(() => Promise.resolve(this.outbox.wake()));
  }
}

// Waits for nobody: where the share is just ending, there is nothing to mark.
const markShare = statement(
  'vaults.mark-share-linked',
  `UPDATE ingot_shares SET is_linked = true
    WHERE ingot_id IN (SELECT ingot_id FROM ingot_shares WHERE link_id = $1 AND NOT is_linked FOR NO KEY UPDATE SKIP LOCKED)`,
);

const findOrphan = statement(
  'vaults.find-orphaned-link',
  `SELECT NOT EXISTS (
            SELECT 1 FROM ingots i JOIN vaults v ON v.id = i.vault_id AND v.status = 'active'
             WHERE i.id = $2 AND i.vault_id = $3) AS is_ingot_gone
    WHERE NOT EXISTS (SELECT 1 FROM ingot_shares WHERE link_id = $1)
      AND NOT EXISTS (SELECT 1 FROM link_keys WHERE link_id = $1)`,
);
