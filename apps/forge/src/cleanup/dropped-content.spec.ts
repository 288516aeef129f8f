import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ingotDeleted, vaultDeleted, versionReleased } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { until } from '@vaultsvc/testing/waiting';
import { CleanupFixture } from '../testing/cleanup-fixture.js';
import { mintDownload, type MintedTransfer, type TransferOptions } from '../testing/transfers.js';
import { forgeUrl, newUpload, tus, upload } from '../testing/uploads.js';
import { DropReplacedVersions } from './drop-replaced-versions.job.js';

let fixture: CleanupFixture;
let urls: readonly string[];
beforeAll(async () => {
  fixture = await CleanupFixture.start();
  urls = fixture.instances.map(forgeUrl);
});
afterAll(() => fixture.stop());

const urlOf = (instance: number) => urls[instance] as string;
const actor = { actor_type: 'api_key', actor_id: 'key_1' } as const;

/** Uploads a content over HTTP. */
async function stored(content: Buffer, options: TransferOptions = {}): Promise<MintedTransfer> {
  const minted = await fixture.mint({ ...options, sizeBytes: content.length });
  await upload(urlOf(0), minted.istk, content);
  return minted;
}

const streaming = (of: MintedTransfer) =>
  mintDownload(fixture.harness, of, { mode: 'stream', bytesMax: 1_000_000 });

/** The bytes that the ISTK downloads, or the code of its refusal; the same from both instances. */
async function download({ istk }: MintedTransfer): Promise<Buffer | string> {
  const results = await Promise.all(
    urls.map(async (url) => {
      const response = await fetch(`${url}/decrypt?istk=${istk}`);
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      const { error } = (await response.json()) as { error: { code: string; details?: { code: string } } };
      return error.details?.code ?? error.code;
    }),
  );
  expect(results[1]).toEqual(results[0]);
  return results[0] as Buffer | string;
}

describe('downloads of dropped content', () => {
  it('VLT-24 OPEN-12: are refused from the response to the revocation of a vault on, and its objects are deleted', async () => {
    const vaultId = newId('vlt_');
    const finished = await stored(randomBytes(1_000), { vaultId });
    const [url, once, unused] = [
      await streaming(finished),
      await mintDownload(fixture.harness, finished),
      await fixture.mint({ vaultId }),
    ];
    const open = await fixture.mint({ vaultId, sizeBytes: 2_000 });
    const location = await newUpload(urlOf(0), open.istk, 2_000);
    expect(await download(url)).toHaveLength(1_000);
    await fixture.revoke({ scope: 'vault', vault_id: vaultId });
    expect([await download(url), await download(once)]).toEqual(['ISTK_INVALID', 'ISTK_INVALID']);
    expect((await tus(urlOf(1), 'HEAD', location)).status).toBe(404);
    const created = await tus(urlOf(1), 'POST', `/encrypt?istk=${unused.istk}`, { 'Upload-Length': '10' });
    expect(created.status).toBe(401);
    await until(async () => (await fixture.keysOf(finished)).length === 0);
    const folders = await readdir(`${fixture.harness.objectsDir}/v1`).catch(() => []);
    expect(folders).not.toContain(finished.versionId);
  });

  it('VLT-24: are refused after the event of the deletion alone', async () => {
    const vaultId = newId('vlt_');
    const finished = await stored(randomBytes(1_000), { vaultId });
    const url = await streaming(finished);
    await fixture.publish([vaultDeleted, { vault_id: vaultId, account_id: finished.accountId, ...actor }]);
    await until(async () => (await download(url)) === 'ISTK_INVALID');
    await until(async () => (await fixture.keysOf(finished)).length === 0);
  });

  it('TRAP 42: are allowed for existing ISTKs of replaced content until it is dropped', async () => {
    const [before, after] = [randomBytes(1_000), randomBytes(2_000)];
    const ingot = { vaultId: newId('vlt_'), ingotId: newId('ing_'), accountId: newId('acc_') };
    const [old, current] = [await stored(before, ingot), await stored(after, ingot)];
    const [oldUrl, newUrl] = [await streaming(old), await streaming(current)];
    const { accountId: account_id, vaultId: vault_id, ingotId: ingot_id } = ingot;
    const released = { account_id, vault_id, ingot_id, version_id: old.versionId, size_bytes: 1_000 };
    await fixture.publish([versionReleased, { ...released, reason: 'replaced', kept_until: null }]);
    await until(async () => (await fixture.statusOf(old)) === 'replaced');
    expect([await download(oldUrl), await download(newUrl)]).toEqual([before, after]);

    await fixture.sql(`UPDATE uploads SET ended_at = now() - interval '1 day' WHERE version_id = $1`, [
      old.versionId,
    ]);
    await fixture.instances[0].context.get(DropReplacedVersions).run();
    expect([await download(oldUrl), await download(newUrl)]).toEqual(['ISTK_INVALID', after]);
    await until(async () => (await fixture.keysOf(old)).length === 0);

    await fixture.publish([ingotDeleted, { account_id, vault_id, ingot_id, ...actor }]);
    await until(async () => (await download(newUrl)) === 'ISTK_INVALID');
  });
});
