import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { sharingDisabled, vaultActionOf } from '@vaultsvc/contracts/vaults';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';

/** The share key of a vault as it is stored: wrapped by KMS. */
export interface WrappedShareKey {
  readonly keyId: string;
  readonly wrapped: Buffer;
}

/** The row of a share key among the delegated keys. Its lookup matches nothing, because its token is stored nowhere. */
export interface NewShareKey extends VaultIdentity, WrappedShareKey {
  readonly last4: string;
  readonly lookup: Buffer;
}

/** Share keys: delegated keys of the platform itself. A vault has at most one active share key. */
@Injectable()
export class ShareKeyRepository {
  constructor(private readonly database: Database) {}

  /** The active one. */
  async find(
    { vaultId, accountId }: VaultIdentity,
    on: Queryable = this.database,
  ): Promise<WrappedShareKey | undefined> {
    const [row] = await on.query<WrappedShareKey>(findShareKey, [vaultId, accountId]);
    return row;
  }

  /** The caller has locked the vault. False when another key of the vault has the same last letters. */
  async insert(tx: Queryable, key: NewShareKey): Promise<boolean> {
    const { keyId, vaultId, accountId, last4, lookup, wrapped } = key;
    const rows = await tx.query(insertShareKey, [keyId, vaultId, accountId, last4, lookup, wrapped]);
    return rows.length > 0;
  }

  /**
   * Ends the shares of a revoked key, in the transaction that revokes it: every wrap of the key becomes worthless. There may
   * be thousands of shares, so only their events end links and downloads; the commit deletes what those could open.
   */
  async endShares(tx: Queryable, vaultId: string, keyId: string, context: AccountContext): Promise<void> {
    await tx.query(touchIngots, [keyId]);
    const action = JSON.stringify(vaultActionOf(context, vaultId));
    const ended = await tx.query(endShares, [keyId, context.requestId, action]);
    if (ended.length > 0) await tx.query(shredWraps, [vaultId]);
  }
}

// A system key with this purpose; delegated keys of the vault open no share (DVK-13, SHR-17).
const findShareKey = statement(
  'vaults.find-share-key',
  `SELECT id AS "keyId", wrapped_key AS wrapped FROM dvaks
    WHERE vault_id = $1 AND account_id = $2 AND system_purpose = 'sharing' AND status = 'active'`,
);

const insertShareKey = statement(
  'vaults.insert-share-key',
  `INSERT INTO dvaks (id, vault_id, account_id, dvak_type, system_purpose, access_level, last4, lookup, wrapped_key)
   VALUES ($1, $2, $3, 'system', 'sharing', 'read', $4, $5, $6)
   ON CONFLICT (vault_id, last4) DO NOTHING RETURNING id`,
);

// The ingots first, as everything that ends shares does. This also keeps uploads from starting in between.
const touchIngots = statement(
  'vaults.touch-ingots-of-share-key',
  `UPDATE ingots SET updated_at = greatest(now(), updated_at + interval '1 second')
    WHERE id IN (SELECT ingot_id FROM ingot_shares WHERE key_id = $1)`,
);

// Each share with its event, by which sparks and forge end its link and its downloads (DVK-19).
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
