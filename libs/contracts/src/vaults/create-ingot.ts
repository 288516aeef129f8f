import { IdOf, Name, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { FOLDER_PATH_MAX } from './folder.js';
import {
  CONTENT_TYPE_DEFAULT,
  ContentTypeField,
  INGOT_NAME_MAX,
  IngotBytes,
  IngotName,
  IngotUpload,
} from './ingot.js';
import { VaultParams, writeErrors } from './vault.js';

export class NewIngot {
  @IngotName() name: string;
  @IngotBytes() size_bytes: number;
  @ContentTypeField() content_type: string = CONTENT_TYPE_DEFAULT;
  @Name({ max: INGOT_NAME_MAX, optional: true, description: 'The name that downloads are saved under.' })
  original_filename?: string;
  @IdOf('fld', { optional: true, nullable: true, description: 'null or absent: the root of the vault.' })
  folder_id?: string | null;
  @Text({
    min: 1,
    max: FOLDER_PATH_MAX,
    optional: true,
    description: 'Instead of folder_id: names from the root with / between them; what is missing is made.',
  })
  folder_path?: string;
}

/**
 * Makes an ingot, or takes the one of this name in this folder, and opens an upload for its content. Until that is
 * whole the content of before is what downloads give; a newer upload supersedes one that is not whole yet.
 */
export const createIngot = operation({
  name: 'vaults.create-ingot',
  summary: 'Opens an upload for a new ingot, or for new content of the one that has this name.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/ingots', status: 201 },
  access: { credential: 'key', vat: 'write' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  billable: true,
  body: NewIngot,
  reply: IngotUpload,
  errors: [...writeErrors, 'FOLDER_NOT_FOUND', 'INGOT_MANAGED'],
});
