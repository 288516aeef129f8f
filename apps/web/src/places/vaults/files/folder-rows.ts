import type { Folder, Ingot } from './use-files.js';

/** A row of the list. */
export type FileRow =
  | { readonly kind: 'folder'; readonly key: string; readonly folder: Folder }
  | { readonly kind: 'file'; readonly key: string; readonly file: Ingot };

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** What a folder holds: folders first, each by name. */
export function rowsOf(
  folderId: string | null,
  folders: readonly Folder[],
  files: readonly Ingot[],
): FileRow[] {
  const inside = folders
    .filter(({ parent_id: parent }) => parent === folderId)
    .sort((a, b) => byName.compare(a.name, b.name));
  return [...inside.map(folderRow), ...filesOf(files.filter(({ folder_id: own }) => own === folderId))];
}

export function filesOf(files: readonly Ingot[]): FileRow[] {
  const sorted = [...files].sort((a, b) => byName.compare(a.name, b.name));
  return sorted.map((file) => ({ kind: 'file', key: file.ingot_id, file }));
}

/** All files whose names have the text, without regard to case. */
export function matching(files: readonly Ingot[], text: string): readonly Ingot[] {
  const wanted = foldedName(text);
  return files.filter(({ name }) => foldedName(name).includes(wanted));
}

/** Names in vaults do not depend on case (VLT-02). */
export const foldedName = (name: string): string => name.normalize('NFC').toLowerCase();

function folderRow(folder: Folder): FileRow {
  return { kind: 'folder', key: folder.folder_id, folder };
}

/** The folders from the root to this one. */
export function trailOf(folderId: string | null, folders: readonly Folder[]): readonly Folder[] {
  const folder = folders.find(({ folder_id: id }) => id === folderId);
  return folder ? [...trailOf(folder.parent_id, folders), folder] : [];
}
