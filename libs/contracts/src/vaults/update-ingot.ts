import { IdOf } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { Ingot, IngotName, IngotParams } from './ingot.js';
import { writeErrors } from './vault.js';

export class IngotChange {
  @IngotName({ optional: true }) name?: string;
  @IdOf('fld', { optional: true, nullable: true, description: 'null moves it to the root of the vault.' })
  folder_id?: string | null;
}

export const updateIngot = operation({
  name: 'vaults.update-ingot',
  summary: 'Renames or moves an ingot; at least one field.',
  http: { method: 'PATCH', path: '/v1/vaults/{vault_id}/ingots/{ingot_id}', status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  body: IngotChange,
  reply: Ingot,
  errors: [
    ...writeErrors,
    'INGOT_NOT_FOUND',
    'INGOT_NAME_AMBIGUOUS',
    'INGOT_MANAGED',
    'INGOT_NAME_TAKEN',
    'FOLDER_NOT_FOUND',
  ],
});
