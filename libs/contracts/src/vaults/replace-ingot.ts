import { EpochSeconds } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { ContentTypeField, IngotBytes, IngotName, IngotParams, IngotUpload } from './ingot.js';
import { writeErrors } from './vault.js';

export class IngotReplacement {
  @IngotBytes() size_bytes: number;
  @IngotName({ optional: true }) name?: string;
  @ContentTypeField() content_type?: string;
  @EpochSeconds({ optional: true, description: 'Refuse with 412 if the ingot has changed since.' })
  expected_updated_at?: number;
}

/** A new name applies at once; type and size with the content (AMB-16). */
export const replaceIngot = operation({
  name: 'vaults.replace-ingot',
  summary: 'Opens an upload for new content of an ingot; downloads give the old one until it is whole.',
  http: { method: 'PUT', path: '/v1/vaults/{vault_id}/ingots/{ingot_id}', status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: IngotParams,
  unknown: 'VAULT_NOT_FOUND',
  billable: true,
  body: IngotReplacement,
  reply: IngotUpload,
  errors: [
    ...writeErrors,
    'INGOT_NOT_FOUND',
    'INGOT_NAME_AMBIGUOUS',
    'INGOT_MANAGED',
    'INGOT_NAME_TAKEN',
    'INGOT_CHANGED',
  ],
});
