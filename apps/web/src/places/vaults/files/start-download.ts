import type { OpenVault } from '../open/open-vaults.js';

/**
 * Has the browser download a file, in a tab of its own, which the browser closes: this page stays whatever Forge answers. The URL works once.
 * Rejects with the refusal.
 * @returns whether the browser has let it begin
 */
export async function startDownload({ client, vaultId }: OpenVault, ingotId: string): Promise<boolean> {
  const { data } = await client.POST('/v1/vaults/{vault_id}/ingots/{ingot_id}/download', {
    params: { path: { vault_id: vaultId, ingot_id: ingotId } },
    body: {},
  });
  return window.open(data.download_url) !== null;
}
