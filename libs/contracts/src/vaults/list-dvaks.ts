import { Cursor, Flag, Int, ListOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { Dvak } from './dvak.js';
import { VaultParams } from './vault.js';

export class DvakQuery {
  @OneOf(['active', 'revoked'], { optional: true, description: 'Only keys of this status.' })
  status?: 'active' | 'revoked';
  @Int({ min: 1, max: 100, optional: true }) limit = 25;
  @Cursor() cursor?: string;
}

export class DvakPage {
  @ListOf(() => Dvak) dvaks: Dvak[];
  @Flag() has_more: boolean;
  @Text({ max: 2_048, nullable: true, description: 'null: there are no more.' }) cursor: string | null;
}

export const listDvaks = operation({
  name: 'vaults.list-dvaks',
  summary: 'Lists the delegated keys of a vault, newest first, revoked ones included.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}/dvaks', status: 200 },
  access: { credential: 'key', role: 'admin' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  query: DvakQuery,
  reply: DvakPage,
  errors: ['VAULT_NOT_FOUND'],
  cursor: 'cursor',
  repeatable: true,
});
