import type { Folder, Ingot } from './use-files.js';

/** A row of the list. */
export type FileRow =
  | { readonly kind: 'folder'; readonly key: string; readonly folder: Folder }
  | { readonly kind: 'file'; readonly key: string; readonly file: Ingot };

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The folders in a folder, by name. */
export function foldersIn(folderId: string | null, folders: readonly Folder[]): FileRow[] {
  return folders
    .filter(({ parent_id: parent }) => parent === folderId)
    .sort((a, b) => byName.compare(a.name, b.name))
    .map((folder) => ({ kind: 'folder', key: folder.folder_id, folder }));
}

export const fileRow = (file: Ingot): FileRow => ({ kind: 'file', key: file.ingot_id, file });

/** The folders from the root to this one. */
export function trailOf(folderId: string | null, folders: readonly Folder[]): readonly Folder[] {
  const folder = folders.find(({ folder_id: id }) => id === folderId);
  return folder ? [...trailOf(folder.parent_id, folders), folder] : [];
}
