import type { NewUpload } from '../uploads/upload-queue.js';
import type { Drop } from './dropped.js';
import { foldedName } from './folder-rows.js';
import type { Folder, Ingot } from './use-files.js';

interface Planned {
  readonly vaultId: string;
  readonly folderId: string | null;
  /** The path of that folder; empty: the root. */
  readonly base: string;
  readonly drop: Drop;
  readonly files: readonly Ingot[];
  readonly folders: readonly Folder[];
}

/** The uploads of a drop: those with new names, and those with names that exist in their folder. */
export function planUploads({ vaultId, folderId, base, drop, files, folders }: Planned) {
  const idOfPath = new Map(folders.map(({ path, folder_id: id }) => [foldedName(path), id]));
  const taken = new Set(files.map(({ folder_id: folder, name }) => `${folder} ${foldedName(name)}`));
  const isTaken = (path: string | undefined, name: string) => {
    const id = path === undefined ? folderId : idOfPath.get(foldedName(path));
    return id !== undefined && taken.has(`${id} ${foldedName(name)}`);
  };
  const fresh: NewUpload[] = [];
  const existing: NewUpload[] = [];
  for (const { file, folder } of drop.files) {
    const folderPath = folder === '' ? undefined : joinPath(base, folder);
    const planned = { vaultId, file, name: file.name, folderId, folderPath };
    (isTaken(folderPath, file.name) ? existing : fresh).push(planned);
  }
  return { fresh, existing };
}

export const joinPath = (base: string, path: string): string => (base === '' ? path : `${base}/${path}`);
