import { queryClient } from '../../../api/query-client.js';
import type { OpenVault } from '../open/open-vaults.js';
import { vaultKeys } from '../open/vault-queries.js';
import { foldedName } from './folded-name.js';
import { joinPath } from './plan-uploads.js';
import type { Folder } from './use-files.js';

/** Creates folders that hold nothing, which no upload creates, with those above them. Rejects with the refusal. */
export async function ensureFolders(
  { client, vaultId }: OpenVault,
  base: string,
  paths: readonly string[],
  folders: readonly Folder[],
): Promise<void> {
  if (paths.length === 0) return;
  const known = new Map(folders.map(({ path, folder_id: id }) => [foldedName(path), id]));
  try {
    for (const path of paths) await ensure(joinPath(base, path));
  } finally {
    // Also after a refusal: the next attempt has to know those that were created.
    await queryClient.invalidateQueries({ queryKey: vaultKeys.folders(vaultId) });
  }

  async function ensure(path: string): Promise<void> {
    let parent: string | null = null;
    let current = '';
    for (const name of path.split('/')) {
      current = joinPath(current, name);
      const found = known.get(foldedName(current));
      parent = found ?? (await create(name, parent));
      known.set(foldedName(current), parent);
    }
  }

  async function create(name: string, parentId: string | null): Promise<string> {
    const params = { path: { vault_id: vaultId } };
    const body = { name, parent_id: parentId };
    return (await client.POST('/v1/vaults/{vault_id}/folders', { params, body })).data.folder_id;
  }
}
