import { Injectable } from '@nestjs/common';
import { uploadFinalized } from '@vaultsvc/contracts/forge';
import type { ChunkRow, FileVersion } from '@vaultsvc/crypto/container';
import { Database, namedStatement, statement, type Queryable } from '@vaultsvc/database';
import type { SealedHashes } from './hash-sealer.js';
import type { Upload } from './upload.js';
import { VERSION_MEMBERS } from '../istk/version-members-sql.js';

/** A chunk whose object is stored and durable, with its hash. */
export interface StoredChunk extends SealedHashes {
  readonly row: ChunkRow;
  readonly objectKey: string;
}

/** `stored`: committed; `finalized`: committed as the last chunk; `conflict`: another request was first; `ended`: the upload has ended. */
export type ChunkCommit = 'stored' | 'finalized' | 'conflict' | 'ended';

/** Uploads. Rows hold no upload id, only its hash; the row's wrapped key opens with the id alone. */
@Injectable()
export class UploadRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Queryable, lookup: Buffer, file: FileVersion, wrappedKey: Buffer): Promise<void> {
    const { versionId, accountId, vaultId, ingotId, bytes } = file;
    await tx.query(insertUpload, [versionId, lookup, accountId, vaultId, ingotId, bytes, wrappedKey]);
  }

  /** Finds open and finished uploads, but none that was cancelled, has expired or was dropped. */
  async find(lookup: Buffer): Promise<Upload | undefined> {
    const [row] = await this.database.query<UploadRow>(findUpload, [lookup]);
    return row && uploadOf(lookup, row);
  }

  /**
   * Commits a chunk if the offset is still that of `upload`, in one statement: inserts its row and moves the offset; the
   * last chunk also deletes the wrapped key and publishes the event.
   */
  async commit(upload: Upload, { row, ...stored }: StoredChunk, requestId: string): Promise<ChunkCommit> {
    const { lookup, offsetBytes } = upload;
    const values = commitChunk.valuesOf({ ...row, ...stored, lookup, offsetBytes, requestId });
    const [moved] = await this.database.query<{ status: string }>(commitChunk, values);
    if (moved) return moved.status === 'finalized' ? 'finalized' : 'stored';
    return (await this.find(upload.lookup)) ? 'conflict' : 'ended';
  }
}

interface UploadRow {
  account_id: string;
  vault_id: string;
  ingot_id: string;
  version_id: string;
  size_bytes: number;
  offset_bytes: number;
  wrapped_key: Buffer | null;
}

function uploadOf(lookup: Buffer, row: UploadRow): Upload {
  return {
    lookup,
    file: {
      accountId: row.account_id,
      vaultId: row.vault_id,
      ingotId: row.ingot_id,
      versionId: row.version_id,
      bytes: row.size_bytes,
    },
    offsetBytes: row.offset_bytes,
    wrappedKey: row.wrapped_key,
  };
}

const insertUpload = statement(
  'forge.insert-upload',
  `INSERT INTO uploads (version_id, lookup, account_id, vault_id, ingot_id, size_bytes, wrapped_key)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);

const findUpload = statement(
  'forge.find-upload',
  `SELECT account_id, vault_id, ingot_id, version_id, size_bytes, offset_bytes, wrapped_key
     FROM uploads WHERE lookup = $1 AND status <> 'dropped'`,
);

/** Failed attempts may have left objects. Orphans are deleted when no attempt can still be running. */
const ORPHANS_AFTER = `interval '2 hours'`;

interface ChunkInsert extends ChunkRow, SealedHashes {
  readonly lookup: Buffer;
  /** Where the chunk starts. */
  readonly offsetBytes: number;
  readonly objectKey: string;
  readonly requestId: string;
}

const commitChunk = namedStatement<ChunkInsert, { readonly status: string }>(
  'forge.commit-chunk',
  (v) => `
   WITH moved AS (
     UPDATE uploads
        SET offset_bytes = offset_bytes + ${v.bytes}::int, touched_at = now(),
            status = CASE WHEN offset_bytes + ${v.bytes}::int = size_bytes THEN 'finalized' ELSE status END,
            wrapped_key = CASE WHEN offset_bytes + ${v.bytes}::int = size_bytes THEN NULL ELSE wrapped_key END,
            sealed_hash = ${v.contentHash}::bytea,
            sweep_at = CASE WHEN offset_bytes + ${v.bytes}::int = size_bytes THEN now() + ${ORPHANS_AFTER} END
      WHERE lookup = ${v.lookup} AND status = 'open' AND offset_bytes = ${v.offsetBytes}::bigint
     RETURNING account_id, vault_id, ingot_id, version_id, size_bytes, status, sealed_hash
   ), stored AS (
     INSERT INTO chunks (version_id, chunk, bytes, salt, commitment, mac, object_key, sealed_hash)
     SELECT version_id, ${v.chunk}::int, ${v.bytes}::int, ${v.salt}::bytea, ${v.commitment}::bytea, ${v.mac}::bytea,
            ${v.objectKey}::text, ${v.chunkHash}::bytea FROM moved
   ), event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${uploadFinalized.name}', account_id, ${v.requestId}::text,
            jsonb_build_object(${VERSION_MEMBERS}, 'size_bytes', size_bytes, 'sealed_hash', encode(sealed_hash, 'hex'))
       FROM moved WHERE status = 'finalized'
   )
   SELECT status FROM moved`,
  ([row]) => row?.status === 'finalized',
);
