import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type ChunkRow, type FileVersion, openChunkRange, slicesOf } from '@vaultsvc/crypto/container';
import { Objects } from '@vaultsvc/objects';
import type { RunningService } from '@vaultsvc/service';
import { rowsOf } from '@vaultsvc/testing/harness';
import { objectPrefixOf } from '../upload/object-key.js';
import type { MintedTransfer } from './transfers.js';

/** The keys of all objects that are kept for a version, whether a chunk names them or not. */
export async function objectKeysOf({ context }: RunningService, versionId: string): Promise<string[]> {
  const { objects } = await context.get(Objects).list({ prefix: objectPrefixOf(versionId) });
  return objects.map(({ key }) => key);
}

/** The content of a finished upload, opened with the key that its minter drew. */
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
