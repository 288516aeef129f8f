import type { NewUpload } from '../uploads/upload-queue.js';
import type { Drop } from './dropped.js';
import { foldedName } from './folded-name.js';
import type { Folder, Ingot } from './use-files.js';

export type NamedFile = Pick<Ingot, 'folder_id' | 'name'>;

interface Dropped {
  readonly folderId: string | null;
  /** The path of that folder; empty: the root. */
  readonly base: string;
  readonly drop: Drop;
  readonly folders: readonly Folder[];
}

interface Planned extends Dropped {
  readonly vaultId: string;
  /** Those that may have the names of dropped ones. */
  readonly files: readonly NamedFile[];
}

/** The folders that exist and into which files were dropped, with the names of these. */
export function targetsOf({
  folderId,
  base,
  drop,
  folders,
}: Dropped): ReadonlyMap<string | null, readonly string[]> {
  const idOf = folderIds(folders);
  const targets = new Map<string | null, string[]>();
  for (const { file, folder } of drop.files) {
    const id = folder === '' ? folderId : idOf(joinPath(base, folder));
    if (id !== undefined) targets.set(id, [...(targets.get(id) ?? []), file.name]);
  }
  return targets;
}

/** The uploads of a drop: those with new names, and those with names that exist in their folder. */
export function planUploads({ vaultId, folderId, base, drop, files, folders }: Planned) {
  const idOf = folderIds(folders);
  const taken = new Set(files.map(({ folder_id: folder, name }) => `${folder} ${foldedName(name)}`));
  const isTaken = (path: string | undefined, name: string) => {
    const id = path === undefined ? folderId : idOf(path);
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

/** The id of a folder by its path. */
export function folderIds(folders: readonly Folder[]): (path: string) => string | undefined {
  const idOfPath = new Map(folders.map(({ path, folder_id: id }) => [foldedName(path), id]));
  return (path) => idOfPath.get(foldedName(path));
}

export const joinPath = (base: string, path: string): string => (base === '' ? path : `${base}/${path}`);
