/** The leaves of an entry bundle, and the hashes of a full tile. */
export const TILE_WIDTH = 256;

/** Of 2^53 leaves: the highest level with a hash. */
const LEVEL_MAX = 6;

/** One tile or entry bundle of a log. */
export interface TilePosition {
  /** 0 for the hashes of leaves; each level above has one hash for a full tile of the level below. */
  readonly level: number | 'entries';
  /** Counted from 0 within the level. */
  readonly index: number;
  /** 1 to 256; below 256 the tile is partial. */
  readonly width: number;
}

/**
 * The path of a tile below the log's prefix, as in `tile/0/x001/x234/067` and, for a partial one of 112 hashes,
 * `tile/0/273.p/112` (C2SP tlog-tiles, "Merkle Tree").
 */
export function tilePath({ level, index, width }: TilePosition): string {
  const suffix = width === TILE_WIDTH ? '' : `.p/${width}`;
  return `tile/${level}/${indexPath(index)}${suffix}`;
}

/** The position of a path that `tilePath` returns; undefined for every other text. */
export function parseTilePath(path: string): TilePosition | undefined {
  const [, level = '', index = '', width = String(TILE_WIDTH)] = PATH.exec(path) ?? [];
  const position = {
    level: level === 'entries' ? level : Number(level),
    index: Number(index.replaceAll(/[x/]/g, '')),
    width: Number(width),
  } as const;
  return tilePath(position) === path ? position : undefined;
}

const PATH = new RegExp(
  String.raw`^tile/(entries|[0-${LEVEL_MAX}])/((?:x\d{3}/){0,5}\d{3})(?:\.p/([1-9]\d{0,2}))?$`,
);

/** Three digits for each part; all parts but the last one begin with an x. */
function indexPath(index: number): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const parts = padded.match(/\d{3}/g) ?? [];
  return parts.map((part, place) => (place === parts.length - 1 ? part : `x${part}`)).join('/');
}
