import { event } from '../core/event.js';
import { IdOf } from '../core/fields.js';
import { VaultAction } from './events.js';

export class FolderAction extends VaultAction {
  @IdOf('fld') folder_id: string;
}

export const folderCreated = event({ name: 'vaults.folder-created', payload: FolderAction, consumers: [] });
/** It has another name, another place, or both. */
export const folderChanged = event({ name: 'vaults.folder-changed', payload: FolderAction, consumers: [] });
export const folderDeleted = event({ name: 'vaults.folder-deleted', payload: FolderAction, consumers: [] });
