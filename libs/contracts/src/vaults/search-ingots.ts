import { Cursor, Flag, Int, ListOf, Nested, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { fileTypes, Ingot, INGOT_NAME_MAX, type FileType } from './ingot.js';
import { VaultParams } from './vault.js';

const bytesFilter = { min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Bytes.' };

export class IngotSearchQuery {
  @Text({ max: INGOT_NAME_MAX, optional: true, description: 'How names begin, whatever their case.' })
  q?: string;
  @OneOf(fileTypes, { optional: true }) file_type?: FileType;
  @Int({ ...bytesFilter, optional: true }) min_size?: number;
  @Int({ ...bytesFilter, optional: true }) max_size?: number;
  @Int({ min: 1, max: 200, optional: true }) limit = 50;
  @Cursor() cursor?: string;
  @OneOf(['asc', 'desc'], { optional: true, description: 'By created_at.' }) sort_order: 'asc' | 'desc' =
    'desc';
}

/** The filters of the search as they were understood; null where none was given. */
export class IngotFilters {
  @Text({ max: INGOT_NAME_MAX, nullable: true }) q: string | null;
  @OneOf(fileTypes, { nullable: true }) file_type: FileType | null;
  @Int({ ...bytesFilter, nullable: true }) min_size: number | null;
  @Int({ ...bytesFilter, nullable: true }) max_size: number | null;
}

export class IngotPage {
  @ListOf(() => Ingot) ingots: Ingot[];
  @Int({ min: 0, description: 'Ingots on this page.' }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
  @Nested(() => IngotFilters) filters: IngotFilters;
}

export const searchIngots = operation({
  name: 'vaults.search-ingots',
  summary: 'Finds ingots of a vault by the beginning of their names, their type and their size.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}/ingots/search', status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  query: IngotSearchQuery,
  reply: IngotPage,
  errors: ['VAULT_NOT_FOUND'],
  cursor: 'next_cursor',
  repeatable: true,
});
