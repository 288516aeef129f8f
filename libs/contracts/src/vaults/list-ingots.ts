import { Int, ListOf, OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { Ingot } from './ingot.js';
import { VaultParams } from './vault.js';

export const ingotSorts = [
  'name',
  'size',
  'content_type',
  'created_at',
  'access_count',
  'bandwidth',
] as const;
export type IngotSort = (typeof ingotSorts)[number];

export class IngotListQuery {
  @Int({ min: 1, max: 200, optional: true }) limit = 100;
  @OneOf(ingotSorts, { optional: true }) sort_by: IngotSort = 'created_at';
  @OneOf(['asc', 'desc'], { optional: true }) sort_order: 'asc' | 'desc' = 'asc';
}

export class IngotList {
  @ListOf(() => Ingot) ingots: Ingot[];
  @Int({ min: 0, description: 'Ingots in this answer.' }) count: number;
}

/** The list has no cursor (AMB-49): whoever has more ingots searches. */
export const listIngots = operation({
  name: 'vaults.list-ingots',
  summary: 'Lists at most 200 ingots of a vault, those of all its folders and managed ones too.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}/ingots', status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  query: IngotListQuery,
  reply: IngotList,
  errors: ['VAULT_NOT_FOUND'],
  repeatable: true,
});
