import { Injectable } from '@nestjs/common';
import type { ChunkRow, ChunkSlice } from '@vaultsvc/crypto/container';
import { Database, statement } from '@vaultsvc/database';

/** The part of one chunk to read, with the row and the object of the chunk. */
export interface StoredSlice {
  readonly slice: ChunkSlice;
  readonly row: ChunkRow;
  readonly objectKey: string;
}

/** 3 GiB of content: the rows of a whole file of 5 TiB are never in memory at once. */
const PAGE_ROWS = 64;

@Injectable()
export class ChunkRepository {
  constructor(private readonly database: Database) {}

  /** Yields the slices with their rows, in order, reading rows page by page. Throws when a chunk has no row. */
  async *findSlices(versionId: string, slices: Iterable<ChunkSlice>): AsyncGenerator<StoredSlice, void> {
    let page: StoredRow[] = [];
    for (const slice of slices) {
      if (page.length === 0)
        page = await this.database.query<StoredRow>(findChunks, [versionId, slice.chunk, PAGE_ROWS]);
      const row = page.shift();
      if (row?.chunk !== slice.chunk) throw new Error(`chunk ${slice.chunk} has no row`);
      yield { slice, row, objectKey: row.object_key };
    }
  }
}

interface StoredRow extends ChunkRow {
  object_key: string;
}

const findChunks = statement(
  'forge.find-chunks',
  `SELECT chunk, salt, commitment, bytes, mac, object_key FROM chunks
    WHERE version_id = $1 AND chunk >= $2 ORDER BY chunk LIMIT $3`,
);
