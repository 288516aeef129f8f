import { namedStatement, type NamedStatement } from '@vaultsvc/database';
import { INGOT_COLUMNS } from './ingot-columns.js';

/** Ingots that one page with filters reads at most: some 30 ms, also if none matches. */
export const SCAN_MAX = 10_000;

/** Greater than every folded name. An upper bound that is always there lets one generic plan use the index for it. */
export const AFTER_ALL_NAMES = '\u{10ffff}'.repeat(600);

/** The index that a search reads, its direction, and whether rows are left out. */
export interface SearchShape {
  readonly scope: 'vault' | 'folder' | 'root';
  readonly sort: 'created_at' | 'name';
  readonly order: 'asc' | 'desc';
  readonly isFiltered: boolean;
}

export interface SearchValues {
  readonly vaultId: string;
  readonly folderId: string | null;
  /** The range of folded names: inclusive, and exclusive. */
  readonly from: string;
  readonly to: string;
  /** The place before the first row, exclusive: at first one before all names, or the end of the range, or of time. */
  readonly afterKey: string;
  readonly afterId: string;
  /** A part of the folded name; empty for all. */
  readonly part: string;
  readonly fileType: string | null;
  readonly minSize: number | null;
  readonly maxSize: number | null;
  readonly limit: number;
  /**
   * SCAN_MAX. A parameter, because generic plans expect few rows of a vault: they would read and sort all rows before a literal
   * limit of more, and take a limit that they do not know for a tenth of the rows, which is a scan in the order of the index.
   */
  readonly scanMax: number;
}
type Placeholders = Readonly<Record<keyof SearchValues, string>>;

/** The statement of a shape. */
export function searchOf(shape: SearchShape): NamedStatement<SearchValues> {
  return statements.get(nameOf(shape)) as NamedStatement<SearchValues>;
}

const nameOf = ({ scope, sort, order, isFiltered }: SearchShape) =>
  `vaults.search-ingots-of-${scope}-by-${sort}-${order}${isFiltered ? '-filtered' : ''}`;

const keys = {
  name: { column: 'i.folded_name', type: 'text' },
  created_at: { column: 'i.created_at', type: 'timestamptz' },
} as const;

const folderOf = (v: Placeholders, { scope }: SearchShape) => {
  if (scope === 'folder') return `AND i.folder_id = ${v.folderId}`;
  return scope === 'root' ? 'AND i.folder_id IS NULL' : '';
};

/** The range of names. A name that is the prefix itself is in it, so that no place stands for its first end. */
const rangeOf = (v: Placeholders, { sort }: SearchShape) =>
  sort === 'name' ? `AND i.folded_name >= ${v.from} AND i.folded_name < ${v.to}` : '';

/**
 * Names are unique in a folder, whose index therefore has no ids. PostgreSQL takes `IS NULL` for no constant: only an order that
 * begins with the folder is that of the index.
 */
const placeOf = (v: Placeholders, { scope, sort, order }: SearchShape) => {
  const { column, type } = keys[sort];
  const after = order === 'asc' ? '>' : '<';
  const folder = scope === 'root' ? `i.folder_id ${order}, ` : '';
  if (sort === 'name' && scope !== 'vault')
    return `AND ${column} ${after} ${v.afterKey}::${type} ORDER BY ${folder}${column} ${order}`;
  return `AND (${column}, i.id) ${after} (${v.afterKey}::${type}, ${v.afterId}::text)
   ORDER BY ${folder}${column} ${order}, i.id ${order}`;
};

const scanOf = (v: Placeholders, shape: SearchShape) => `
    FROM ingots i
   WHERE i.vault_id = ${v.vaultId} ${folderOf(v, shape)} ${rangeOf(v, shape)} ${placeOf(v, shape)}`;

const plainSearch = (v: Placeholders, shape: SearchShape) => `
  SELECT ${INGOT_COLUMNS}, ${keys[shape.sort].column}::text AS position ${scanOf(v, shape)} LIMIT ${v.limit}`;

/** A twin of a name from before 0.1.0 has its id after a control character (ADR 45). */
const matches = (v: Placeholders) => `
         strpos(split_part(s.folded_name, E'\\x01', 1), ${v.part}) > 0
     AND s.folded_name >= ${v.from} AND s.folded_name < ${v.to}
     AND (${v.fileType}::text IS NULL OR i.file_type = ${v.fileType})
     AND (${v.minSize}::bigint IS NULL OR i.size_bytes >= ${v.minSize})
     AND (${v.maxSize}::bigint IS NULL OR i.size_bytes <= ${v.maxSize})`;

/** Each row, or a single row of nulls if none matches, has the place where the scan stopped; null: at the end. */
const filteredSearch = (v: Placeholders, shape: SearchShape) => `
  WITH scanned AS MATERIALIZED (
    SELECT i.id, i.folded_name, ${keys[shape.sort].column} AS key ${scanOf(v, shape)} LIMIT ${v.scanMax}),
  stop AS (SELECT key::text AS "stopKey", id AS "stopId" FROM scanned OFFSET ${v.scanMax}::bigint - 1),
  found AS (
    SELECT ${INGOT_COLUMNS}, s.key, s.key::text AS position
      FROM scanned s JOIN ingots i ON i.id = s.id
     WHERE ${matches(v)} ORDER BY s.key ${shape.order}, s.id ${shape.order} LIMIT ${v.limit})
  SELECT found.*, stop."stopKey", stop."stopId"
    FROM (SELECT 1) one LEFT JOIN stop ON true LEFT JOIN found ON true
   ORDER BY found.key ${shape.order}, found.ingot_id ${shape.order}`;

const shapes: readonly SearchShape[] = (['vault', 'folder', 'root'] as const).flatMap((scope) =>
  (['created_at', 'name'] as const).flatMap((sort) =>
    (['asc', 'desc'] as const).flatMap((order) =>
      [false, true].map((isFiltered) => ({ scope, sort, order, isFiltered })),
    ),
  ),
);

const statements: ReadonlyMap<string, NamedStatement<SearchValues>> = new Map(
  shapes.map((shape) => {
    const text = (v: Placeholders) => (shape.isFiltered ? filteredSearch : plainSearch)(v, shape);
    return [nameOf(shape), namedStatement<SearchValues>(nameOf(shape), text)];
  }),
);
