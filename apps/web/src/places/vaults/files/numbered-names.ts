import type { OpenVault } from '../open/open-vaults.js';
import type { NewUpload } from '../uploads/upload-queue.js';
import { folderIds, type NamedFile } from './plan-uploads.js';
import { foldedName } from './folded-name.js';
import { readTaken } from './taken-names.js';
import type { Folder } from './use-files.js';

/** Code points, as the API counts (ING-01). */
const NAME_MAX = 255;
/** Most characters of an ending, with its dot, that counts as the kind of the file. */
const END_MAX = 20;
const FIRST = 2;

/** `plan (2).pdf` for `plan.pdf`. */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  const hasEnd = dot > 0 && name.length - dot <= END_MAX;
  const [stem, end] = hasEnd ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const suffix = ` (${number})${end}`;
  return `${[...stem].slice(0, NAME_MAX - [...suffix].length).join('')}${suffix}`;
}

/** The uploads under the first numbered names that neither their folders nor the others have. Rejects with the refusal. */
export async function besideExisting(
  vault: OpenVault,
  uploads: readonly NewUpload[],
  folders: readonly Folder[],
): Promise<readonly NewUpload[]> {
  const idOf = folderIds(folders);
  const folderOf = ({ folderId, folderPath }: NewUpload) =>
    folderPath === undefined ? folderId : (idOf(folderPath) ?? null);
  const named: NewUpload[] = [];
  const used = new Set<string>();
  let left = uploads;
  for (let number = FIRST; left.length > 0; number += 1) {
    const targets = new Map<string | null, string[]>();
    for (const upload of left) {
      const folder = folderOf(upload);
      targets.set(folder, [...(targets.get(folder) ?? []), numberedName(upload.name, number)]);
    }
    for (const taken of await readTaken(vault, targets)) used.add(keyOf(taken.folder_id, taken.name));
    const next: NewUpload[] = [];
    for (const upload of left) {
      const name = numberedName(upload.name, number);
      const key = keyOf(folderOf(upload), name);
      if (used.has(key)) next.push(upload);
      else named.push({ ...upload, name });
      used.add(key);
    }
    left = next;
  }
  return named;
}

const keyOf = (folder: NamedFile['folder_id'], name: string) => `${folder} ${foldedName(name)}`;
