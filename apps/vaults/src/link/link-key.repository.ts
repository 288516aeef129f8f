import { Injectable } from '@nestjs/common';
import type { FileIds } from '@vaultsvc/crypto/container';
import { Database, inBatches, statement, type Queryable } from '@vaultsvc/database';

/** What a one-time link gives: one version, under its name of that time, with its key under the link's code. */
export interface NewLinkKey extends FileIds {
  readonly linkId: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly wrappedKey: Buffer;
}

/** A link, and whose it is. */
export interface OwnedLink {
  readonly linkId: string;
  readonly accountId: string;
}

/** The keys that one-time links open. A link whose row has gone opens nothing, whatever is known of it elsewhere. */
@Injectable()
export class LinkKeyRepository {
  constructor(private readonly database: Database) {}

  /**
   * Gives its end in epoch seconds; undefined when this version is not, or no more, the content of its ingot. Whoever
   * replaces the content waits for the commit, and then finds the link.
   */
  async insert(tx: Queryable, key: NewLinkKey, ttlSeconds: number): Promise<number | undefined> {
    const file = [key.accountId, key.vaultId, key.ingotId, key.versionId];
    if ((await tx.query(holdContent, file)).length === 0) return undefined;
    const facts = [key.linkId, key.name, key.sizeBytes, key.contentType, key.wrappedKey, ttlSeconds];
    const [row] = await tx.query<{ expires_at: number }>(insertKey, [...file, ...facts]);
    return row?.expires_at;
  }

  async isThere(linkId: string): Promise<boolean> {
    return (await this.database.query(findKey, [linkId])).length > 0;
  }

  /** Of durable links there are none; the ones that have gone stay gone. */
  async shred(tx: Queryable, links: readonly OwnedLink[]): Promise<void> {
    await tx.query(shredKeys, [links.map(({ linkId }) => linkId), links.map(({ accountId }) => accountId)]);
  }

  /** Those whose time has passed. */
  forgetExpired(): Promise<void> {
    return inBatches(this.database, forgetExpired);
  }
}

const holdContent = statement(
  'vaults.hold-content',
  `SELECT id FROM ingots WHERE account_id = $1 AND vault_id = $2 AND id = $3 AND current_version = $4 FOR SHARE`,
);

const insertKey = statement(
  'vaults.insert-link-key',
  `INSERT INTO link_keys (account_id, vault_id, ingot_id, version_id, link_id, name, size_bytes, content_type,
                          wrapped_key, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, date_trunc('second', now()) + $10::int * interval '1 second')
   RETURNING extract(epoch FROM expires_at)::bigint AS expires_at`,
);

const findKey = statement('vaults.find-link-key', `SELECT link_id FROM link_keys WHERE link_id = $1`);

const shredKeys = statement(
  'vaults.shred-link-keys',
  `DELETE FROM link_keys WHERE (link_id, account_id) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))`,
);

const forgetExpired = statement(
  'vaults.forget-link-keys',
  `DELETE FROM link_keys WHERE link_id IN (
     SELECT link_id FROM link_keys WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING link_id`,
);
