import { operation } from '../core/operation.js';
import { Folder, FolderParams } from './folder.js';

export const readFolder = operation({
  name: 'vaults.read-folder',
  summary: 'A folder and its path.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}/folders/{folder_id}', status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: FolderParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: Folder,
  errors: ['FOLDER_NOT_FOUND'],
  repeatable: true,
});
