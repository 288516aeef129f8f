import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { FileIds } from '@vaultsvc/crypto/container';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import type { WrappedShareKey } from '../dvak/share-key.repository.js';
import type { IngotOfVault } from '../sharing/share.repository.js';

/** A link of an ingot that sparks has verified. */
export interface VerifiedLink extends IngotOfVault {
  readonly linkId: string;
}

/** The content of a link: one version with its name, and its wrapped key. */
export interface LinkedContent {
  readonly file: FileIds;
  readonly name: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly wrappedKey: Buffer;
  /** The hash of the content under its file key; null: it has none. */
  readonly sealedHash: Buffer | null;
  /** Epoch seconds; null: unknown. */
  readonly modifiedAt: number | null;
  /** The key that unwraps it; null for a one-time link, whose code does. */
  readonly shareKey: WrappedShareKey | null;
}

interface ContentRow {
  readonly version_id: string;
  readonly name: string;
  readonly size_bytes: number;
  readonly content_type: string;
  readonly wrapped_key: Buffer;
  readonly sealed_hash: Buffer | null;
  readonly modified_at: number | null;
}

interface DurableRow extends ContentRow {
  readonly is_on: boolean;
  readonly key_id: string;
  readonly share_key: Buffer;
}

/** Finds the content of links. A vault that is being deleted has none: its shares and the keys of its links end with it. */
@Injectable()
export class LinkedContentRepository {
  constructor(private readonly database: Database) {}

  /**
   * The current content of a durable link's ingot. Throws LINK_REVOKED when the share has ended, LINK_SUSPENDED while public
   * file sharing is off (OPEN-20).
   */
  async byShare(link: VerifiedLink): Promise<LinkedContent> {
    const [row] = await this.database.query<DurableRow>(findShared, idsOf(link));
    if (!row) throw revoked();
    if (!row.is_on) throw new AppError('LINK_SUSPENDED', { state: 'suspended' });
    return { ...contentOf(link, row), shareKey: { keyId: row.key_id, wrapped: row.share_key } };
  }

  /** The content at the creation of a one-time link. Throws LINK_REVOKED when its key is deleted. */
  async byCode(link: VerifiedLink): Promise<LinkedContent> {
    const [row] = await this.database.query<ContentRow>(findLinked, idsOf(link));
    if (!row) throw revoked();
    return { ...contentOf(link, row), shareKey: null };
  }
}

export function revoked(): AppError {
  return new AppError('LINK_REVOKED', { state: 'revoked' });
}

function idsOf({ linkId, ingotId, vaultId, accountId }: VerifiedLink): readonly string[] {
  return [linkId, ingotId, vaultId, accountId];
}

function contentOf({ accountId, vaultId, ingotId }: VerifiedLink, row: ContentRow) {
  return {
    file: { accountId, vaultId, ingotId, versionId: row.version_id },
    name: row.name,
    sizeBytes: row.size_bytes,
    contentType: row.content_type,
    wrappedKey: row.wrapped_key,
    sealedHash: row.sealed_hash,
    modifiedAt: row.modified_at,
  };
}

const findShared = statement(
  'vaults.find-shared-content',
  `SELECT i.current_version AS version_id, coalesce(i.original_filename, i.name) AS name, i.size_bytes, i.content_type,
          c.shared_key AS wrapped_key, c.sealed_hash, ${epochSeconds('c.modified_at')},
          v.public_file_sharing AS is_on, k.id AS key_id, k.wrapped_key AS share_key
     FROM ingot_shares s
     JOIN vaults v ON v.id = s.vault_id AND v.status = 'active'
     JOIN dvaks k ON k.id = s.key_id AND k.status = 'active'
     JOIN ingots i ON i.id = s.ingot_id
     JOIN ingot_versions c ON c.id = i.current_version
    WHERE s.link_id = $1 AND s.ingot_id = $2 AND s.vault_id = $3 AND s.account_id = $4`,
);

const findLinked = statement(
  'vaults.find-linked-content',
  `SELECT l.version_id, l.name, l.size_bytes, l.content_type, l.wrapped_key, l.sealed_hash, ${epochSeconds('l.modified_at')}
     FROM link_keys l
    WHERE l.link_id = $1 AND l.ingot_id = $2 AND l.vault_id = $3 AND l.account_id = $4 AND l.expires_at > now()`,
);
