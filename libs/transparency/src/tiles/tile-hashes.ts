import { HASH_BYTES } from '@vaultsvc/crypto/hash';
import { EMPTY_ROOT, nodeHash, treeHash } from '../merkle/tree-hash.js';
import { InvalidTile, MissingTile } from './errors.js';
import { TILE_WIDTH, tilePath, type TilePosition } from './tile-path.js';

/** Reads a file of a log by its path below the log's prefix; undefined when there is none. */
export type TileReader = (path: string) => Promise<Uint8Array | undefined>;

/** The levels of the Merkle tree within one tile. */
const TILE_HEIGHT = 8;

/**
 * The hashes of a tree of `size` leaves, read from its tiles, each of them once. They are as trustworthy as the tiles:
 * compare `root()` with that of a signed checkpoint, or verify the proofs that they lead to.
 *
 * All methods throw MissingTile and InvalidTile, and whatever `read` throws.
 */
export class TileHashes {
  readonly #tiles = new Map<string, Promise<Buffer>>();

  constructor(
    readonly size: number,
    private readonly read: TileReader,
  ) {}

  /** The root of the whole tree. */
  root(): Promise<Buffer> {
    return this.range(0, this.size);
  }

  /**
   * The root of the subtree over the leaves from `start` to `end`, exclusive. As everywhere in RFC 6962, `start` is a
   * multiple of the smallest power of two that is not below the number of these leaves.
   */
  async range(start: number, end: number): Promise<Buffer> {
    const peaks: Promise<Buffer>[] = [];
    let from = start;
    while (from < end) {
      const level = highestLevel(end - from);
      peaks.push(this.#subtree(level, from / 2 ** level));
      from += 2 ** level;
    }
    const hashes = await Promise.all(peaks);
    return hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => nodeHash(left, right));
  }

  /** The root of the full subtree with 2^level leaves, the `index`-th of its level. */
  async #subtree(level: number, index: number): Promise<Buffer> {
    const hashes = 2 ** (level % TILE_HEIGHT);
    const first = index * hashes;
    const tile = await this.#tile(Math.floor(level / TILE_HEIGHT), Math.floor(first / TILE_WIDTH));
    const offset = first % TILE_WIDTH;
    return treeHash(Array.from({ length: hashes }, (_, place) => hashAt(tile, offset + place)));
  }

  #tile(level: number, index: number): Promise<Buffer> {
    const position = { level, index, width: widthOf(this.size, level, index) };
    const path = tilePath(position);
    const known = this.#tiles.get(path) ?? readTile(this.read, position);
    this.#tiles.set(path, known);
    return known;
  }
}

/** The height of the largest full subtree with at most this many leaves. Math.log2 rounds up just below high powers. */
function highestLevel(leaves: number): number {
  const level = Math.floor(Math.log2(leaves));
  return 2 ** level > leaves ? level - 1 : level;
}

/** The hashes of a tile, or the leaves of a bundle, in a tree of `size` leaves; 256 unless it is the last of its level. */
export function widthOf(size: number, level: number, index: number): number {
  return Math.min(TILE_WIDTH, Math.floor(size / TILE_WIDTH ** level) - index * TILE_WIDTH);
}

/** Reads the hashes of a tile. @throws MissingTile, InvalidTile */
export async function readTile(read: TileReader, position: TilePosition): Promise<Buffer> {
  const { bytes, width } = await readFile(read, position);
  const expected = width * HASH_BYTES;
  if (bytes.length !== expected)
    throw new InvalidTile(`${tilePath(position)} has ${bytes.length} bytes, not ${expected}`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, position.width * HASH_BYTES);
}

/**
 * Reads a tile or an entry bundle. A log may delete a partial one once the full one exists, which is read instead.
 * @throws MissingTile
 */
export async function readFile(
  read: TileReader,
  position: TilePosition,
): Promise<{ readonly bytes: Uint8Array; readonly width: number }> {
  for (const width of new Set([position.width, TILE_WIDTH])) {
    const bytes = await read(tilePath({ ...position, width }));
    if (bytes) return { bytes, width };
  }
  throw new MissingTile(tilePath(position));
}

function hashAt(tile: Buffer, place: number): Buffer {
  return tile.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES);
}
