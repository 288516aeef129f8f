import { queryClient } from '../../../api/query-client.js';
import { filesTexts as texts } from '../../../texts/files.js';
import { toast } from '../../../ui/toast.js';
import { useOpenVault } from '../open/use-open-vault.js';
import { vaultKeys } from '../open/vault-queries.js';

/** Changes of a file or folder, after which the lists are read again. All reject with the refusal. */
export function useFileChanges(id: string) {
  const { client, vaultId } = useOpenVault();
  const path = { vault_id: vaultId };
  const file = { params: { path: { ...path, ingot_id: id } } };
  const folder = { params: { path: { ...path, folder_id: id } } };
  const changed = () => void queryClient.invalidateQueries({ queryKey: vaultKeys.inside(vaultId) });
  const deleted = () => {
    changed();
    toast(texts.deleted);
  };
  return {
    changed,
    rename: async (name: string) => {
      await client.PATCH('/v1/vaults/{vault_id}/ingots/{ingot_id}', { ...file, body: { name } });
      changed();
    },
    deleteFile: async () => {
      await client.DELETE('/v1/vaults/{vault_id}/ingots/{ingot_id}', file);
      deleted();
    },
    /** In the folder of the id; in the root without one. */
    createFolder: async (name: string) => {
      const body = { name, parent_id: id === '' ? null : id };
      await client.POST('/v1/vaults/{vault_id}/folders', { params: { path }, body });
      changed();
    },
    renameFolder: async (name: string) => {
      await client.PATCH('/v1/vaults/{vault_id}/folders/{folder_id}', { ...folder, body: { name } });
      changed();
    },
    deleteFolder: async () => {
      await client.DELETE('/v1/vaults/{vault_id}/folders/{folder_id}', folder);
      deleted();
    },
  };
}
