import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

const KEY_BYTES = 32;

/** A key of the archive: of an account, or of one of its vaults. */
export interface SegmentKey {
  /** Its random id, which names no vault. */
  readonly kid: string;
  readonly key: Buffer;
}

interface KeyRow extends SegmentKey {
  /** '' for the key of the account. */
  readonly vaultId: string;
}

/**
 * The keys of the archive: one for each account, and one for each of its vaults. They are in the database, as the bodies were before:
 * the object store alone reveals none of them. The role of the service cannot delete a key; `erase_audit_entries` does, for
 * a deleted vault (AUD-13).
 */
@Injectable()
export class SegmentKeysRepository {
  constructor(private readonly database: Database) {}

  /**
   * The keys of an account and of these vaults, by the id of the vault; that of the account has the id ''. Missing ones are made, but not for
   * a vault that is deleted: nothing would destroy it.
   */
  async ensure(accountId: string, vaultIds: readonly string[]): Promise<ReadonlyMap<string, SegmentKey>> {
    const ids = ['', ...vaultIds];
    const keys = ids.map(() => randomBytes(KEY_BYTES));
    await this.database.query(insertKeys, [accountId, ids, keys]);
    const rows = await this.database.query<KeyRow>(selectKeys, [accountId, ids]);
    return new Map(rows.map(({ vaultId, ...key }) => [vaultId, key]));
  }

  /** The keys with these ids, those that are destroyed excepted. */
  async find(accountId: string, kids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const rows = await this.database.query<SegmentKey>(findKeys, [accountId, kids]);
    return new Map(rows.map(({ kid, key }) => [kid, key]));
  }

  /** The key of the account; undefined for one without an archive. */
  async ofAccount(accountId: string): Promise<Buffer | undefined> {
    const [row] = await this.database.query<KeyRow>(selectKeys, [accountId, ['']]);
    return row?.key;
  }
}

const insertKeys = statement(
  'audit-archive.insert-keys',
  `INSERT INTO audit_segment_keys (account_id, vault_id, key)
   SELECT $1, vault_id, key FROM unnest($2::text[], $3::bytea[]) AS made (vault_id, key)
    WHERE NOT EXISTS (SELECT FROM audit_erasures e WHERE e.account_id = $1 AND e.vault_id = made.vault_id)
   ON CONFLICT (account_id, vault_id) DO NOTHING`,
);

const selectKeys = statement(
  'audit-archive.select-keys',
  `SELECT vault_id AS "vaultId", kid, key FROM audit_segment_keys WHERE account_id = $1 AND vault_id = ANY($2::text[])`,
);

const findKeys = statement(
  'audit-archive.find-keys',
  `SELECT kid, key FROM audit_segment_keys WHERE account_id = $1 AND kid = ANY($2::uuid[])`,
);
