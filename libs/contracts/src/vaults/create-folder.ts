import { IdOf } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { Folder, FolderName } from './folder.js';
import { VaultParams, writeErrors } from './vault.js';

export class NewFolder {
  @FolderName() name: string;
  @IdOf('fld', { optional: true, nullable: true, description: 'null or absent: the root of the vault.' })
  parent_id?: string | null;
}

export const createFolder = operation({
  name: 'vaults.create-folder',
  summary: 'Makes a folder in a vault, at most 32 levels deep.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/folders', status: 201 },
  access: { credential: 'key', vat: 'write' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  body: NewFolder,
  reply: Folder,
  errors: [...writeErrors, 'FOLDER_NOT_FOUND', 'FOLDER_NAME_TAKEN'],
});
