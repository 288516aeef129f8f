import { operation } from '../core/operation.js';
import { IngotMetadata, IngotParams } from './ingot.js';

export const readIngot = operation({
  name: 'vaults.read-ingot',
  summary: 'What is known of an ingot besides its content.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}/ingots/{ingot_id}', status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: IngotMetadata,
  errors: ['VAULT_NOT_FOUND', 'INGOT_NOT_FOUND', 'INGOT_NAME_AMBIGUOUS', 'INGOT_MANAGED'],
  repeatable: true,
});
