import { Cursor, Flag, IdOf, Int, ListOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { Folder } from './folder.js';
import { VaultParams } from './vault.js';

export class FolderQuery {
  @IdOf('fld', { optional: true, description: 'Only the folders directly in this one.' }) parent_id?: string;
  @Int({ min: 1, max: 500, optional: true }) limit = 100;
  @Cursor() cursor?: string;
}

export class FolderPage {
  @ListOf(() => Folder) folders: Folder[];
  @Int({ min: 0, description: 'Folders on this page.' }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

export const listFolders = operation({
  name: 'vaults.list-folders',
  summary:
    'Lists the folders of a vault by the beginning of their names; without a parent_id those of every level.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}/folders', status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  query: FolderQuery,
  reply: FolderPage,
  errors: ['VAULT_NOT_FOUND', 'FOLDER_NOT_FOUND'],
  cursor: 'next_cursor',
  repeatable: true,
});
