import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { nameKey } from '@vaultsvc/contracts/names';
import type { Ingot, IngotSearchQuery } from '@vaultsvc/contracts/vaults';
import { Database, type Page, readPosition, statement, toPage } from '@vaultsvc/database';
import { prefixRange } from '../keys/name-key.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import { searchesByAge, searchesByPrefix } from './ingot-age-search-statements.js';
import {
  AFTER_ALL_NAMES,
  SCAN_MAX,
  searchOf,
  type SearchShape,
  type SearchValues,
} from './ingot-search-statements.js';

/** Searches the ingots of a vault. Callers check before that the account has the vault. */
@Injectable()
export class IngotSearchRepository {
  constructor(private readonly database: Database) {}

  /** A page of the ingots that match. Throws FOLDER_NOT_FOUND for a folder that the vault does not have. */
  async search(vault: VaultIdentity, query: IngotSearchQuery): Promise<Page<Ingot>> {
    await this.#assertFolder(vault, query.folder_id);
    const shape = shapeOf(query);
    if (isByAge(query, shape)) return this.#searchByAge(vault.vaultId, query);
    const find = searchOf(shape);
    const values = find.valuesOf(valuesOf(vault.vaultId, query, shape));
    return pageOf(await this.database.query<FoundRow>(find, values), query.limit);
  }

  async #assertFolder({ vaultId }: VaultIdentity, folderId: string | undefined): Promise<void> {
    if (folderId === undefined || folderId === ROOT) return;
    if ((await this.database.query(findFolder, [vaultId, folderId])).length === 0)
      throw new AppError('FOLDER_NOT_FOUND');
  }

  /** Reads until the page is full, as ever: callers of this form may take a short page for the last one. */
  async #searchByAge(vaultId: string, query: IngotSearchQuery): Promise<Page<Ingot>> {
    const { q, sort_order, limit, cursor } = query;
    const [createdAt = null, id = null] = readPosition(cursor, 2) ?? [];
    const [from, to] = q ? prefixRange(q) : [null, null];
    const find = (q ? searchesByPrefix : searchesByAge)[sort_order];
    const place = { vaultId, createdAt, id, limit: limit + 1 };
    const values = find.valuesOf({ ...place, ...filtersOf(query), from, to });
    const rows = await this.database.query<Ingot & { position: string }>(find, values);
    return toPage(rows, limit, (row) => [row.position, row.ingot_id]);
  }
}

/** In place of a folder's id: the ingots that are in none. */
const ROOT = 'root';

type Filters = Pick<IngotSearchQuery, 'file_type' | 'min_size' | 'max_size'>;

/** A row of a search. That of a page without matches has nulls, `stopKey` and `stopId` apart. */
type FoundRow = Ingot & {
  readonly position: string;
  readonly stopKey?: string | null;
  readonly stopId?: string | null;
};

function shapeOf({
  q,
  contains,
  folder_id,
  sort_by: sort,
  sort_order: order,
  ...query
}: IngotSearchQuery): SearchShape {
  const scope = folder_id === undefined ? 'vault' : folder_id === ROOT ? 'root' : 'folder';
  const filters = [query.file_type, query.min_size, query.max_size];
  const isFiltered =
    Boolean(contains) || (Boolean(q) && sort !== 'name') || filters.some((value) => value !== undefined);
  return { scope, sort, order, isFiltered };
}

/** Whether it is a search by the members of 0.1.0 alone. */
function isByAge({ contains }: IngotSearchQuery, { scope, sort }: SearchShape): boolean {
  return scope === 'vault' && sort === 'created_at' && !contains;
}

function filtersOf({ file_type, min_size, max_size }: Filters) {
  return { fileType: file_type ?? null, minSize: min_size ?? null, maxSize: max_size ?? null };
}

function valuesOf(vaultId: string, query: IngotSearchQuery, { sort, order }: SearchShape): SearchValues {
  const [from, below] = query.q ? prefixRange(query.q) : ['', null];
  const to = below ?? AFTER_ALL_NAMES;
  const begins = { name: { asc: '', desc: to }, created_at: { asc: '-infinity', desc: 'infinity' } };
  const [afterKey, afterId] = readPosition(query.cursor, 2) ?? [begins[sort][order], ''];
  return {
    vaultId,
    folderId: query.folder_id ?? null,
    from,
    to,
    afterKey: afterKey as string,
    afterId: afterId as string,
    part: nameKey(query.contains ?? ''),
    ...filtersOf(query),
    limit: query.limit + 1,
    scanMax: SCAN_MAX,
  };
}

/** A page that the bound of the scan has cut goes on where the scan stopped, even if nothing matched (ENV-13). */
function pageOf(fetched: readonly FoundRow[], limit: number): Page<Ingot> {
  const found = fetched.filter(({ ingot_id }) => ingot_id !== null);
  const page = toPage(found, limit, (row) => [row.position, row.ingot_id]);
  const { stopKey, stopId } = fetched[0] ?? {};
  if (page.has_more || typeof stopKey !== 'string') return page;
  return { ...page, has_more: true, next_cursor: JSON.stringify([stopKey, stopId]) };
}

const findFolder = statement(
  'vaults.find-folder-of-search',
  `SELECT 1 FROM folders WHERE vault_id = $1 AND id = $2`,
);
