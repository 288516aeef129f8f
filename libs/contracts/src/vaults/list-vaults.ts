import { Cursor, Flag, Int, ListOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { VaultSummary, vaultStatuses, type VaultStatus } from './vault.js';

export class VaultQuery {
  @OneOf(vaultStatuses, {
    optional: true,
    description: 'The stored status, active or deleting. No vault is stored as sealed or unsealed.',
  })
  status?: VaultStatus;

  @Int({ min: 1, max: 500, optional: true }) limit = 100;
  @Cursor() cursor?: string;
}

export class VaultPage {
  @ListOf(() => VaultSummary) vaults: VaultSummary[];
  @Int({ min: 0, description: 'Vaults on this page.' }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

export const listVaults = operation({
  name: 'vaults.list',
  summary: "Lists the account's vaults, newest first; without a status those that are not being deleted.",
  http: { method: 'GET', path: '/v1/vaults', status: 200 },
  access: { credential: 'key' },
  query: VaultQuery,
  reply: VaultPage,
  cursor: 'next_cursor',
  repeatable: true,
});
