import { IdOf } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { Folder, FolderName, FolderParams } from './folder.js';
import { writeErrors } from './vault.js';

export class FolderChange {
  @FolderName({ optional: true }) name?: string;
  @IdOf('fld', { optional: true, nullable: true, description: 'Where to; null: the root of the vault.' })
  parent_id?: string | null;
}

/** What is below a folder moves with it. */
export const updateFolder = operation({
  name: 'vaults.update-folder',
  summary: 'Renames a folder, moves it with all that is in it, or both; at least one field.',
  http: { method: 'PATCH', path: '/v1/vaults/{vault_id}/folders/{folder_id}', status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: FolderParams,
  unknown: 'VAULT_NOT_FOUND',
  body: FolderChange,
  reply: Folder,
  errors: [...writeErrors, 'FOLDER_NOT_FOUND', 'FOLDER_NAME_TAKEN', 'FOLDER_CYCLE'],
});
