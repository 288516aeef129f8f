import { ValidateBy } from 'class-validator';
import { event } from '../core/event.js';
import { Cursor, EpochSeconds, Flag, IdOf, Int, ListOf, Name, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { VaultAction, VaultParams, writeErrors } from './vault.js';

/** Code points of a folder's name. */
export const FOLDER_NAME_MAX = 255;
/** Depth of the deepest folder. A folder at the root of its vault has depth 1. */
export const FOLDER_LEVELS_MAX = 32;
/** Code points of the longest path: 32 names of full length with slashes between them. */
export const FOLDER_PATH_MAX = FOLDER_LEVELS_MAX * (FOLDER_NAME_MAX + 1) - 1;

/**
 * A display name that is one path segment: no slash, no backslash, not `.` or `..`. Compatibility forms (Unicode NFKC)
 * are checked too, because many file systems turn U+FF0F into a slash.
 */
export function FolderName(options: { optional?: boolean } = {}): PropertyDecorator {
  const isOneSegment = ValidateBy({
    name: 'folderName',
    validator: {
      validate: (value) => typeof value === 'string' && !isPath(value.normalize('NFKC')),
      defaultMessage: () => '$property must not be . or .. and must not contain a slash or a backslash',
    },
  });
  const name = Name({
    ...options,
    max: FOLDER_NAME_MAX,
    description:
      'Unique in the parent folder, without regard to case. It has no slash or backslash and is not . or ..',
  });
  return (target, key) => {
    for (const decorate of [name, isOneSegment]) decorate(target, key);
  };
}

function isPath(name: string): boolean {
  return /[/\\]/.test(name) || ['.', '..'].includes(name.trim());
}

/** Path parameters of operations on one folder. */
export class FolderParams {
  @IdOf('vlt') vault_id: string;
  // Any text passes here: a malformed id is answered like an unknown folder, whereas `unknown` names the vault.
  @Text({ max: 65_536, raw: true, description: 'The fld_ id of the folder.' }) folder_id: string;
}

/** A folder. */
export class Folder {
  @IdOf('fld') folder_id: string;
  @IdOf('vlt') vault_id: string;
  @IdOf('fld', { nullable: true, description: 'null: the root of the vault.' }) parent_id: string | null;
  @FolderName() name: string;
  @Text({
    max: FOLDER_PATH_MAX,
    description: 'The names of the folders from the root to this one, separated by /.',
  })
  path: string;
  @EpochSeconds() created_at: number;
  @EpochSeconds() updated_at: number;
}

/** Body of `createFolder`. */
export class NewFolder {
  @FolderName() name: string;
  @IdOf('fld', { optional: true, nullable: true, description: 'null or absent: the root of the vault.' })
  parent_id?: string | null;
}

/** Creates a folder. */
export const createFolder = operation({
  name: 'vaults.create-folder',
  summary: 'Creates a folder in a vault. Folders nest at most 32 levels deep.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/folders', status: 201 },
  idempotent: { id: 'folder_id' },
  access: { credential: 'key', vat: 'write' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  body: NewFolder,
  reply: Folder,
  errors: [...writeErrors, 'FOLDER_NOT_FOUND', 'FOLDER_NAME_TAKEN'],
});

/** Query of `listFolders`. */
export class FolderQuery {
  @IdOf('fld', { optional: true, description: 'Only the direct subfolders of this folder.' })
  parent_id?: string;
  @Int({ min: 1, max: 500, optional: true }) limit = 100;
  @Cursor() cursor?: string;
}

/** A page of folders. */
export class FolderPage {
  @ListOf(() => Folder) folders: Folder[];
  @Int({ min: 0, description: 'Folders on this page.' }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

/** Lists the folders of a vault. */
export const listFolders = operation({
  name: 'vaults.list-folders',
  summary:
    'Lists the folders of a vault, ordered by the start of their names. Without a parent_id, folders of all levels are listed.',
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

/** Reads a folder. */
export const readFolder = operation({
  name: 'vaults.read-folder',
  summary: 'Reads a folder and its path.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}/folders/{folder_id}', status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: FolderParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: Folder,
  errors: ['FOLDER_NOT_FOUND'],
  repeatable: true,
});

/** Body of `updateFolder`: at least one field. */
export class FolderChange {
  @FolderName({ optional: true }) name?: string;
  @IdOf('fld', {
    optional: true,
    nullable: true,
    description: 'The new parent folder; null: the root of the vault.',
  })
  parent_id?: string | null;
}

/** Renames or moves a folder. Its subfolders and ingots move with it. */
export const updateFolder = operation({
  name: 'vaults.update-folder',
  summary: 'Renames a folder, moves it with its content, or both; at least one field is required.',
  http: { method: 'PATCH', path: '/v1/vaults/{vault_id}/folders/{folder_id}', status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: FolderParams,
  unknown: 'VAULT_NOT_FOUND',
  body: FolderChange,
  reply: Folder,
  errors: [...writeErrors, 'FOLDER_NOT_FOUND', 'FOLDER_NAME_TAKEN', 'FOLDER_CYCLE'],
});

/** Deletes an empty folder. */
export const deleteFolder = operation({
  name: 'vaults.delete-folder',
  summary: 'Deletes an empty folder.',
  http: { method: 'DELETE', path: '/v1/vaults/{vault_id}/folders/{folder_id}', status: 204 },
  access: { credential: 'key', vat: 'write' },
  params: FolderParams,
  unknown: 'VAULT_NOT_FOUND',
  errors: [...writeErrors, 'FOLDER_NOT_FOUND', 'FOLDER_NOT_EMPTY'],
});

/** Payload of folder events. */
export class FolderAction extends VaultAction {
  @IdOf('fld') folder_id: string;
}

export const folderCreated = event({
  name: 'vaults.folder-created',
  payload: FolderAction,
  consumers: ['reporting'],
});
/** The folder was renamed, moved, or both. */
export const folderChanged = event({
  name: 'vaults.folder-changed',
  payload: FolderAction,
  consumers: ['reporting'],
});
export const folderDeleted = event({
  name: 'vaults.folder-deleted',
  payload: FolderAction,
  consumers: ['reporting'],
});
