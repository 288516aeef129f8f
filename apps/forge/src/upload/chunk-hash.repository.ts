import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

/** The hash of a stored chunk, as it was sealed. */
export interface StoredChunkHash {
  readonly chunk: number;
  readonly sealedHash: Buffer;
}

/** A version may have 104,858 chunks, whose rows are never in memory at once. */
const PAGE_ROWS = 1_000;

/** The sealed hashes of the chunks of a version. */
@Injectable()
export class ChunkHashRepository {
  constructor(private readonly database: Database) {}

  /**
   * Whether the first `count` chunks have hashes. A chunk that an instance of the previous release received has none, and the
   * rows of an upload that was cancelled meanwhile may be gone.
   */
  async areComplete(versionId: string, count: number): Promise<boolean> {
    const [row] = await this.database.query<{ hashes: number }>(countHashes, [versionId, count]);
    return row?.hashes === count;
  }

  /** The hashes of the first `count` chunks in their order, read page by page. */
  async *find(versionId: string, count: number): AsyncGenerator<StoredChunkHash, void> {
    for (let next = 0; next < count; next += PAGE_ROWS) {
      const values = [versionId, next, Math.min(next + PAGE_ROWS, count)];
      yield* await this.database.query<StoredChunkHash>(findHashes, values);
    }
  }
}

const countHashes = statement(
  'forge.count-chunk-hashes',
  `SELECT count(sealed_hash)::int AS hashes FROM chunks WHERE version_id = $1 AND chunk < $2`,
);

const findHashes = statement(
  'forge.find-chunk-hashes',
  `SELECT chunk, sealed_hash AS "sealedHash" FROM chunks
    WHERE version_id = $1 AND chunk >= $2 AND chunk < $3 ORDER BY chunk`,
);
