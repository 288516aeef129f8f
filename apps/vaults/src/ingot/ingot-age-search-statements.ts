import { namedStatement } from '@vaultsvc/database';
import { INGOT_COLUMNS } from './ingot-columns.js';
import { bothOrders } from './sort-orders.js';

interface Search {
  readonly vaultId: string;
  readonly fileType: string | null;
  readonly minSize: number | null;
  readonly maxSize: number | null;
  /** The position of the last row of the page before; null on the first page. */
  readonly createdAt: string | null;
  readonly id: string | null;
  readonly limit: number;
  /** The range of names; null in a search of all. */
  readonly from: string | null;
  readonly to: string | null;
}
type Placeholders = Readonly<Record<keyof Search, string>>;

const search = (v: Placeholders, order: 'asc' | 'desc', scope = '') => `
  SELECT ${INGOT_COLUMNS}, i.created_at::text AS position
    FROM ingots i
   WHERE vault_id = ${v.vaultId} ${scope}
     AND (${v.fileType}::text IS NULL OR file_type = ${v.fileType})
     AND (${v.minSize}::bigint IS NULL OR size_bytes >= ${v.minSize}) AND (${v.maxSize}::bigint IS NULL OR size_bytes <= ${v.maxSize})
     AND (${v.createdAt}::timestamptz IS NULL
          OR (i.created_at, i.id) ${order === 'asc' ? '>' : '<'} (${v.createdAt}, ${v.id}::text))
   ORDER BY i.created_at ${order}, i.id ${order} LIMIT ${v.limit}`;

/** All ingots of a vault in the order of creation. */
export const searchesByAge = bothOrders((order) =>
  namedStatement<Search>(`vaults.search-ingots-${order}`, (v) => search(v, order)),
);

/** Those whose names have a prefix. A range instead of LIKE: a generic plan, which serves all prefixes, uses the index for it. */
export const searchesByPrefix = bothOrders((order) =>
  namedStatement<Search>(`vaults.search-ingots-by-prefix-${order}`, (v) =>
    search(v, order, `AND folded_name >= ${v.from} AND (${v.to}::text IS NULL OR folded_name < ${v.to})`),
  ),
);
