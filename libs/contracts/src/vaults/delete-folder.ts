import { operation } from '../core/operation.js';
import { FolderParams } from './folder.js';
import { writeErrors } from './vault.js';

export const deleteFolder = operation({
  name: 'vaults.delete-folder',
  summary: 'Removes a folder that holds nothing.',
  http: { method: 'DELETE', path: '/v1/vaults/{vault_id}/folders/{folder_id}', status: 204 },
  access: { credential: 'key', vat: 'write' },
  params: FolderParams,
  unknown: 'VAULT_NOT_FOUND',
  errors: [...writeErrors, 'FOLDER_NOT_FOUND', 'FOLDER_NOT_EMPTY'],
});
