import { widthOf } from './tile-hashes.js';
import { TILE_WIDTH, tilePath, type TilePosition } from './tile-path.js';

/** The entry bundles and tiles of a log of `size` leaves, in the order of their levels. */
export function* logFiles(size: number): Generator<TilePosition & { readonly path: string }, void, void> {
  for (const position of positions(size)) yield { ...position, path: tilePath(position) };
}

function* positions(size: number): Generator<TilePosition, void, void> {
  for (let index = 0; index * TILE_WIDTH < size; index += 1)
    yield { level: 'entries', index, width: widthOf(size, 0, index) };
  for (let level = 0; TILE_WIDTH ** level <= size; level += 1)
    for (let index = 0; widthOf(size, level, index) > 0; index += 1)
      yield { level, index, width: widthOf(size, level, index) };
}
