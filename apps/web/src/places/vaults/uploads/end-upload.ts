import { ApiError, sendDirectly, type ResumableUpload } from '@vaultsvc/client';
import type { OpenVault } from '../open/open-vaults.js';

/** News of Forge arrive in a fraction of a second; a service that restarts needs some more. */
const WAITS_MS = [100, 300, 1_000, 3_000, 5_000];

/**
 * Ends an upload at Forge, and deletes its file unless that has earlier content. What cannot be ended expires at Forge. Rejects if the file is not
 * deleted.
 */
export async function endUpload(
  upload: ResumableUpload | undefined,
  vault: OpenVault | undefined,
): Promise<void> {
  if (!upload) return;
  if (upload.uploadUrl !== undefined) {
    const request = new Request(upload.uploadUrl, {
      method: 'DELETE',
      headers: { 'Tus-Resumable': '1.0.0' },
    });
    await sendDirectly((sent) => fetch(sent), request).catch(() => undefined);
  }
  if (vault && !upload.former) await deleteFile(vault, upload.ingotId);
}

/** As soon as the vault knows that the upload has ended. */
async function deleteFile({ client, vaultId }: OpenVault, ingotId: string): Promise<void> {
  const params = { path: { vault_id: vaultId, ingot_id: ingotId } };
  for (const wait of WAITS_MS) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    try {
      return void (await client.DELETE('/v1/vaults/{vault_id}/ingots/{ingot_id}', { params }));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return;
      if (!(error instanceof ApiError) || error.status !== 400) throw error;
    }
  }
}
