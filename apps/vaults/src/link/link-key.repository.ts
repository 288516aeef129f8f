import { Injectable } from '@nestjs/common';
import type { FileIds } from '@vaultsvc/crypto/container';
import { Database, namedStatement, runInBatches, statement, type Queryable } from '@vaultsvc/database';
import type { StoredVersion } from '../version/version.repository.js';

/** The content of a one-time link: one version with its name at that time, and its key wrapped with the link's code. */
export interface NewLinkKey extends FileIds, StoredVersion {
  readonly linkId: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly contentType: string;
}

/** A link and the account that owns it. */
export interface OwnedLink {
  readonly linkId: string;
  readonly accountId: string;
}

/** The keys of one-time links. A link without a row opens nothing, whatever other services store about it. */
@Injectable()
export class LinkKeyRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns its expiry in epoch seconds; undefined when this version is not, or no longer, the content of its ingot. A
   * transaction that replaces the content waits for the commit, and then finds the link.
   */
  async insert(tx: Queryable, key: NewLinkKey, ttlSeconds: number): Promise<number | undefined> {
    const file = [key.accountId, key.vaultId, key.ingotId, key.versionId];
    if ((await tx.query(lockContent, file)).length === 0) return undefined;
    const values = insertKey.valuesOf({ ...key, ttlSeconds });
    const [row] = await tx.query<{ expires_at: number }>(insertKey, values);
    return row?.expires_at;
  }

  async exists(linkId: string): Promise<boolean> {
    return (await this.database.query(findKey, [linkId])).length > 0;
  }

  /** Ignores links without a key: durable, consumed and expired ones. */
  async shred(tx: Queryable, links: readonly OwnedLink[]): Promise<void> {
    await tx.query(shredKeys, [links.map(({ linkId }) => linkId), links.map(({ accountId }) => accountId)]);
  }

  deleteExpired(): Promise<void> {
    return runInBatches(this.database, deleteExpired);
  }
}

const lockContent = statement(
  'vaults.lock-content',
  `SELECT id FROM ingots WHERE account_id = $1 AND vault_id = $2 AND id = $3 AND current_version = $4 FOR SHARE`,
);

const insertKey = namedStatement<NewLinkKey & { readonly ttlSeconds: number }>(
  'vaults.insert-link-key',
  (v) => `
   INSERT INTO link_keys (account_id, vault_id, ingot_id, version_id, link_id, name, size_bytes, content_type,
                          wrapped_key, sealed_hash, modified_at, expires_at)
   VALUES (${v.accountId}, ${v.vaultId}, ${v.ingotId}, ${v.versionId}, ${v.linkId}, ${v.name}, ${v.sizeBytes}, ${v.contentType},
           ${v.wrappedKey}, ${v.sealedHash}, to_timestamp(${v.modifiedAt}::bigint),
           date_trunc('second', now()) + ${v.ttlSeconds}::int * interval '1 second')
   RETURNING extract(epoch FROM expires_at)::bigint AS expires_at`,
);

const findKey = statement('vaults.find-link-key', `SELECT link_id FROM link_keys WHERE link_id = $1`);

const shredKeys = statement(
  'vaults.shred-link-keys',
  `DELETE FROM link_keys WHERE (link_id, account_id) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))`,
);

const deleteExpired = statement(
  'vaults.delete-expired-link-keys',
  `DELETE FROM link_keys WHERE link_id IN (
     SELECT link_id FROM link_keys WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING link_id`,
);
