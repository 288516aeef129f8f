import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { LinkAction } from '@vaultsvc/contracts/sparks';
import { linkOrphaned } from '@vaultsvc/contracts/vaults';
import { statement, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { ShareRepository, type IngotOfVault } from '../sharing/share.repository.js';
import { LinkKeyRepository } from './link-key.repository.js';

/** A link of an ingot that sparks has created. */
type NewIngotLink = Pick<LinkAction, 'account_id' | 'link_id' | 'asset_id'> & { readonly vault_id: string };

/**
 * Applies the creation and the end of links at sparks to the shares and keys in vaults. The caller has locked the vault. Both
 * methods are idempotent.
 */
@Injectable()
export class LinkReconciler {
  constructor(
    private readonly shares: ShareRepository,
    private readonly keys: LinkKeyRepository,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Marks the share of a durable link as linked. A share or key is committed before sparks creates its link. If it ended
   * even before the link existed, sparks ignored that event; so this publishes the end again.
   */
  async linkCreated(
    tx: Transaction,
    { account_id, vault_id, asset_id, link_id }: NewIngotLink,
  ): Promise<void> {
    await tx.query(markShare, [link_id]);
    const [orphan] = await tx.query<{ is_ingot_gone: boolean }>(findOrphan, [link_id, asset_id, vault_id]);
    if (!orphan) return;
    const payload = { account_id, vault_id, ingot_id: asset_id, link_id, ...orphan };
    await this.outbox.publish(tx, linkOrphaned, payload, { requestId: null, accountId: account_id });
  }

  /** Deletes the wraps and the key that the link could open. */
  async linkEnded(tx: Transaction, ingot: IngotOfVault, linkId: string): Promise<void> {
    // The deletion of an ingot deletes its keys too. It locks the ingot before the keys, as this does.
    if (!(await this.#lockIngot(tx, ingot))) return;
    if (await this.shares.end(tx, ingot.ingotId, linkId)) await this.shares.touch(tx, ingot.ingotId);
    await this.keys.shred(tx, [{ linkId, accountId: ingot.accountId }]);
  }

  /** False when the ingot is deleted. */
  async #lockIngot(tx: Transaction, ingot: IngotOfVault): Promise<boolean> {
    try {
      await this.shares.lockIngot(tx, ingot);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.reason === 'INGOT_NOT_FOUND') return false;
      throw error;
    }
  }
}

// Waits for no lock: a share that is locked here is ending and need not be marked.
const markShare = statement(
  'vaults.mark-share-linked',
  `UPDATE ingot_shares SET is_linked = true
    WHERE ingot_id IN (SELECT ingot_id FROM ingot_shares WHERE link_id = $1 FOR NO KEY UPDATE SKIP LOCKED)`,
);

const findOrphan = statement(
  'vaults.find-orphaned-link',
  `SELECT NOT EXISTS (
            SELECT 1 FROM ingots i JOIN vaults v ON v.id = i.vault_id AND v.status = 'active'
             WHERE i.id = $2 AND i.vault_id = $3) AS is_ingot_gone
    WHERE NOT EXISTS (SELECT 1 FROM ingot_shares WHERE link_id = $1)
      AND NOT EXISTS (SELECT 1 FROM link_keys WHERE link_id = $1)`,
);
