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

it('an upload that was ended while its client was away can still be asked for at the URL that it had', async () => {
  const content = newContent(2);
  const body = { name: 'a', size_bytes: content.length, content_type: 'application/octet-stream' };
  const { forge_url } = await vault.get(createIngot, { params: { vault_id: vault.vaultId }, body });
  const transfer = new TusTransfer(content, forge_url);
  expect(await transfer.run({ stopAfter: CHUNK_BYTES })).toBe('stopped');
  const { url } = transfer;

  await fetch(url, { method: 'DELETE', headers: { 'Tus-Resumable': '1.0.0' } });
  expect(await transfer.run()).toBe('gone'); // The client has asked, and has then tried to create another one.
  expect(transfer.url).toBe(url);
});

it('an upload that was never created has no URL, and says so', () => {
  const transfer = new TusTransfer(newContent(1), `${platform.forgeUrl}/encrypt`);
  expect(() => transfer.url).toThrow('the upload was never created');
});
