import { beforeAll, expect, it } from '@jest/globals';
import { createIngot } from '@vaultsvc/contracts/vaults';
import { mintApiKey } from '@vaultsvc/tools-testing/accounts';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { RetryingVaultClient } from './retrying-vault-client.js';
import { newContent } from './upload-scenario.js';
import { CHUNK_BYTES, TusTransfer } from './tus-transfer.js';

const platform = usePlatform();
let vault: RetryingVaultClient;
beforeAll(async () => {
  vault = await RetryingVaultClient.open(platform.url, (await mintApiKey(platform.auth)).apiKey);
});

it('an upload that is deleted while its client is disconnected keeps its URL', async () => {
  const content = newContent(2);
  const body = { name: 'a', size_bytes: content.length, content_type: 'application/octet-stream' };
  const { forge_url } = await vault.call(createIngot, { params: { vault_id: vault.vaultId }, body });
  const transfer = new TusTransfer(content, forge_url);
  expect(await transfer.run({ stopAfter: CHUNK_BYTES })).toBe('stopped');
  const { url } = transfer;

  await fetch(url, { method: 'DELETE', headers: { 'Tus-Resumable': '1.0.0' } });
  expect(await transfer.run()).toBe('deleted'); // The client received 404 for HEAD, and then tried to create another upload.
  expect(transfer.url).toBe(url);
});

it('an upload that was never created throws on access to its URL', () => {
  const transfer = new TusTransfer(newContent(1), `${platform.forgeUrl}/encrypt`);
  expect(() => transfer.url).toThrow('the upload was never created');
});
