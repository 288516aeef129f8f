import { Readable } from 'node:stream';
import {
  CHUNK_BYTES,
  chunkCount,
  type ChunkRow,
  type FileVersion,
  openChunkRange,
  sealChunk,
  sealedChunkBytes,
  slicesOf,
} from '@vaultsvc/crypto/container';
import { lookupHash, mintBearer } from '@vaultsvc/crypto/tokens';
import { Objects } from '@vaultsvc/objects';
import type { RunningService } from '@vaultsvc/service';
import { rowsOf } from '@vaultsvc/testing/harness';
import { objectKeyOf, objectPrefixOf } from '../cleanup/object-key.js';
import type { MintedTransfer } from './transfers.js';
import { buffer } from 'node:stream/consumers';

/** A stored chunk with its object. */
export interface StoredChunk {
  readonly row: ChunkRow;
  readonly objectKey: string;
}

/** Stores one chunk of a version as an upload does. */
export async function storeChunk(
  service: RunningService,
  file: MintedTransfer,
  chunk: number,
  text: Buffer,
): Promise<StoredChunk> {
  const version = { ...file, bytes: file.sizeBytes };
  const { row, stream } = sealChunk(file.fileKey, version, chunk);
  const objectKey = objectKeyOf(file.versionId, row);
  const sealed = Readable.from(pieces(text)).pipe(stream);
  await service.context.get(Objects).put(objectKey, sealed, sealedChunkBytes(file.sizeBytes, chunk));
  await rowsOf(
    service,
    `INSERT INTO chunks (version_id, chunk, bytes, salt, commitment, mac, object_key)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (version_id, chunk) DO UPDATE
        SET bytes = $3, salt = $4, commitment = $5, mac = $6, object_key = $7`,
    [file.versionId, chunk, row.bytes, row.salt, row.commitment, row.mac, objectKey],
  );
  return { row, objectKey };
}

/** Inserts a finished upload without chunks. */
export async function storeVersion(service: RunningService, file: MintedTransfer): Promise<void> {
  await rowsOf(
    service,
    `INSERT INTO uploads (version_id, lookup, account_id, vault_id, ingot_id, size_bytes, offset_bytes, status)
     VALUES ($1, $2, $3, $4, $5, $6, $6, 'finalized')`,
    [
      file.versionId,
      lookupHash('upload', Buffer.from(mintBearer())),
      file.accountId,
      file.vaultId,
      file.ingotId,
      file.sizeBytes,
    ],
  );
}

/** Stores a whole content, without HTTP. */
export async function storeFile(
  service: RunningService,
  file: MintedTransfer,
  content: Buffer,
): Promise<StoredChunk[]> {
  await storeVersion(service, file);
  const stored: StoredChunk[] = [];
  for (let chunk = 0; chunk < chunkCount(content.length); chunk += 1) {
    const text = content.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
    stored.push(await storeChunk(service, file, chunk, text));
  }
  return stored;
}

function* pieces(text: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < text.length; offset += 262_144) yield text.subarray(offset, offset + 262_144);
}

/** The keys of all objects of a version, including orphans. */
export async function objectKeysOf({ context }: RunningService, versionId: string): Promise<string[]> {
  const { objects } = await context.get(Objects).list({ prefix: objectPrefixOf(versionId) });
  return objects.map(({ key }) => key);
}

/** The content of a finished upload, decrypted with the file key of its ISTK. */
export async function storedContent(
  service: RunningService,
  of: MintedTransfer,
  bytes: number,
): Promise<Buffer> {
  const file: FileVersion = { ...of, bytes };
  const rows = await rowsOf<ChunkRow & { object_key: string } & Record<string, unknown>>(
    service,
    'SELECT chunk, salt, commitment, bytes, mac, object_key FROM chunks WHERE version_id = $1 ORDER BY chunk',
    [of.versionId],
  );
  const parts: Buffer[] = [];
  for (const slice of slicesOf(bytes, 0, bytes)) {
    const row = rows[slice.chunk] as (typeof rows)[number];
    const sealed: Readable = await service.context.get(Objects).read(row.object_key);
    parts.push(await buffer(sealed.pipe(openChunkRange(of.fileKey, file, row, slice))));
  }
  return Buffer.concat(parts);
}
