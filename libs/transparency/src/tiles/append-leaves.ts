import { HASH_BYTES } from '@vaultsvc/crypto/hash';
import type { TreeHead } from '../merkle/proof-verification.js';
import { leafHash, treeHash } from '../merkle/tree-hash.js';
import { encodeEntries } from './entry-bundle.js';
import { readEntries } from './read-entries.js';
import { readTile, TileHashes, type TileReader } from './tile-hashes.js';
import { TILE_WIDTH, tilePath } from './tile-path.js';

/** A file of the log by its path below the log's prefix. */
export interface LogFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** A tree after leaves were appended, and the files that it has in addition to those of the tree before. */
export interface Growth extends TreeHead {
  /** Entry bundles first, then tiles from the lowest level. Each content depends on the leaves only. */
  readonly files: readonly LogFile[];
}

/**
 * Appends leaves to a tree of `size` leaves. Reads the partial tiles at its right edge and writes nothing: the caller stores
 * the files before it signs the new root. The same leaves lead to the same files, so that storing them again is safe.
 * @throws RangeError for a leaf of more than 65,535 bytes; MissingTile, InvalidTile
 */
export async function appendLeaves(
  size: number,
  leaves: readonly Uint8Array[],
  read: TileReader,
): Promise<Growth> {
  const files = [
    ...(await bundlesWith(size, leaves, read)),
    ...(await tilesWith(size, leaves.map(leafHash), read)),
  ];
  const byPath = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const grown = size + leaves.length;
  const root = await new TileHashes(grown, async (path) => byPath.get(path) ?? read(path)).root();
  return { size: grown, root, files };
}

async function bundlesWith(
  size: number,
  leaves: readonly Uint8Array[],
  read: TileReader,
): Promise<LogFile[]> {
  const index = Math.floor(size / TILE_WIDTH);
  const edge = await readEntries(size, index, read);
  return chunks([...edge, ...leaves]).map((bundle, place) => ({
    path: tilePath({ level: 'entries', index: index + place, width: bundle.length }),
    bytes: encodeEntries(bundle),
  }));
}

/** The new tiles of all levels: each full tile adds its root to the level above. */
async function tilesWith(size: number, hashes: readonly Buffer[], read: TileReader): Promise<LogFile[]> {
  const files: LogFile[] = [];
  let added = hashes;
  for (let level = 0; added.length > 0; level += 1) {
    const index = Math.floor(size / TILE_WIDTH ** (level + 1));
    const tiles = chunks([...(await edgeOf(size, level, read)), ...added]);
    tiles.forEach((tile, place) =>
      files.push({
        path: tilePath({ level, index: index + place, width: tile.length }),
        bytes: Buffer.concat(tile),
      }),
    );
    added = tiles.filter(({ length }) => length === TILE_WIDTH).map(treeHash);
  }
  return files;
}

/** The hashes of the partial tile at the right edge of a level. */
async function edgeOf(size: number, level: number, read: TileReader): Promise<Buffer[]> {
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  const width = hashes % TILE_WIDTH;
  if (width === 0) return [];
  const tile = await readTile(read, { level, index: Math.floor(hashes / TILE_WIDTH), width });
  return Array.from({ length: width }, (_, place) =>
    tile.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES),
  );
}

function chunks<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / TILE_WIDTH);
  return Array.from({ length: count }, (_, place) =>
    items.slice(place * TILE_WIDTH, (place + 1) * TILE_WIDTH),
  );
}
