import { Injectable } from '@nestjs/common';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';

/** The share key of a vault as it is kept: wrapped by KMS. */
export interface KeptShareKey {
  readonly keyId: string;
  readonly wrapped: Buffer;
}

/** A share key as the list of delegated keys shows it; its lookup finds nothing, because no token of it is kept. */
export interface NewShareKey extends VaultIdentity, KeptShareKey {
  readonly last4: string;
  readonly lookup: Buffer;
}

/** Share keys: delegated keys of the platform itself. A vault has one in force at most. */
@Injectable()
export class ShareKeyRepository {
  constructor(private readonly database: Database) {}

  /** The one in force, if any. */
  async find(
    { vaultId, accountId }: VaultIdentity,
    on: Queryable = this.database,
  ): Promise<KeptShareKey | undefined> {
    const [row] = await on.query<KeptShareKey>(findShareKey, [vaultId, accountId]);
    return row;
  }

  /** False when another key of the vault ends in the same letters. The caller holds the vault. */
  async insert(tx: Queryable, key: NewShareKey): Promise<boolean> {
    const { keyId, vaultId, accountId, last4, lookup, wrapped } = key;
    const rows = await tx.query(insertShareKey, [keyId, vaultId, accountId, last4, lookup, wrapped]);
    return rows.length > 0;
  }

  /** Keeps a share key from being revoked until the commit. False: it is not in force any more. */
  async hold(tx: Queryable, { keyId }: KeptShareKey): Promise<boolean> {
    return (await tx.query(holdShareKey, [keyId])).length > 0;
  }
}

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

const holdShareKey = statement(
  'vaults.hold-share-key',
  `SELECT id FROM dvaks WHERE id = $1 AND status = 'active' FOR SHARE`,
);
