import { paginate, type Schema, type VaultAccess } from '@vaultsvc/client';
import { exitCodes } from '../exit-codes.js';
import { CliError } from '../failures.js';

/** A file of a vault with its path: the names from the root, separated by `/`. */
export interface TreeFile extends Readonly<Schema<'Ingot'>> {
  readonly path: string;
  /** The path of its folder; empty for the root. */
  readonly folder: string;
}

/** A folder of a vault. */
export type TreeFolder = Readonly<Schema<'Folder'>>;

/** Pages as large as these lists accept. */
const [FOLDERS_LIMIT, FILES_LIMIT] = [500, 200];

/** The folders and files of a vault at one time. */
export class VaultTree {
  private constructor(
    readonly folders: readonly TreeFolder[],
    readonly files: readonly TreeFile[],
  ) {}

  /** With `contains`, of the files those whose names contain this text, as the API compares names. */
  static async load({ client, vaultId: vault_id }: VaultAccess, contains?: string): Promise<VaultTree> {
    const paths = new Map<string | null, string>([[null, '']]);
    const folders: TreeFolder[] = [];
    const ofFolders = { params: { path: { vault_id }, query: { limit: FOLDERS_LIMIT } } };
    for await (const folder of paginate(client, '/v1/vaults/{vault_id}/folders', ofFolders)) {
      folders.push(folder);
      paths.set(folder.folder_id, folder.path);
    }
    const files: TreeFile[] = [];
    const query = { limit: FILES_LIMIT, ...(contains !== undefined && { contains }) };
    const ofFiles = { params: { path: { vault_id }, query } };
    for await (const ingot of paginate(client, '/v1/vaults/{vault_id}/ingots/search', ofFiles)) {
      const folder = paths.get(ingot.folder_id) ?? '';
      files.push({ ...ingot, folder, path: joined(folder, ingot.name) });
    }
    return new VaultTree(sorted(folders), sorted(files));
  }

  /** The folder of a path or an id. */
  folder(path: string): TreeFolder | undefined {
    return this.folders.find((folder) => folder.folder_id === path || isSame(folder.path, trimmed(path)));
  }

  /** The file of a path or an id. */
  file(path: string): TreeFile | undefined {
    return this.files.find((file) => file.ingot_id === path || isSame(file.path, trimmed(path)));
  }

  /** The direct content of a folder. */
  contentOf(path: string): { readonly folders: TreeFolder[]; readonly files: TreeFile[] } {
    return {
      folders: this.folders.filter((folder) => isSame(parentOf(folder.path), path)),
      files: this.files.filter((file) => isSame(file.folder, path)),
    };
  }

  /** Everything below a folder, folders before what they hold. */
  below(path: string): { readonly folders: TreeFolder[]; readonly files: TreeFile[] } {
    const isBelow = (inner: string) => path === '' || key(inner).startsWith(`${key(path)}/`);
    return {
      folders: this.folders.filter((folder) => isBelow(folder.path)),
      files: this.files.filter((file) => isSame(file.folder, path) || isBelow(file.folder)),
    };
  }

  /** The path of a folder as the vault spells it; the root for `/` and nothing. @throws CliError if there is none */
  folderPath(path: string): string {
    if (trimmed(path) === '') return '';
    const found = this.folder(path);
    if (!found) throw new CliError(`There is no folder ${trimmed(path)}.`, exitCodes.gone);
    return found.path;
  }

  /** @throws CliError that says where files of this name are */
  fileAt(path: string): TreeFile {
    const found = this.file(path);
    if (found) return found;
    const last = trimmed(path).split('/').at(-1) ?? '';
    const others = this.files.filter(({ name }) => isSame(name, last)).map((file) => file.path);
    const hint = others.length > 0 ? ` There is ${others.join(', ')}.` : '';
    throw new CliError(`There is no file ${trimmed(path)}.${hint}`, exitCodes.gone);
  }
}

/** A path without slashes at its ends. */
export function trimmed(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}

export function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Names in a vault are equal without regard to case. */
export function isSame(one: string, other: string): boolean {
  return key(one) === key(other);
}

const key = (path: string) => path.normalize('NFC').toLowerCase();

const sorted = <T extends { readonly path: string }>(list: readonly T[]) =>
  list.toSorted((a, b) => (a.path < b.path ? -1 : 1));
