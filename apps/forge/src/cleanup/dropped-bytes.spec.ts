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

let kept: CleanupFixture;
let urls: readonly string[];
beforeAll(async () => {
  kept = await CleanupFixture.start();
  urls = kept.instances.map(forgeUrl);
});
afterAll(() => kept.stop());

const urlOf = (copy: number) => urls[copy] as string;
const actor = { actor_type: 'api_key', actor_id: 'key_1' } as const;

/** A content, uploaded over HTTP. */
async function stored(content: Buffer, wish: TransferOptions = {}): Promise<MintedTransfer> {
  const minted = await kept.mint({ ...wish, sizeBytes: content.length });
  await upload(urlOf(0), minted.istk, content);
  return minted;
}

const streaming = (of: MintedTransfer) =>
  mintDownload(kept.harness, of, { mode: 'stream', bytesMax: 1_000_000 });

/** The bytes that the ISTK gives, from both copies alike; the code of its refusal when it gives none. */
async function given({ istk }: MintedTransfer): Promise<Buffer | string> {
  const answers = await Promise.all(
    urls.map(async (url) => {
      const answer = await fetch(`${url}/decrypt?istk=${istk}`);
      if (answer.ok) return Buffer.from(await answer.arrayBuffer());
      const { error } = (await answer.json()) as { error: { code: string; details?: { code: string } } };
      return error.details?.code ?? error.code;
    }),
  );
  expect(answers[1]).toEqual(answers[0]);
  return answers[0] as Buffer | string;
}

describe('bytes that are dropped, as clients see them', () => {
  it('VLT-24 OPEN-12: with the answer to the revocation nothing of a deleted vault opens, and its files go', async () => {
    const vaultId = newId('vlt_');
    const whole = await stored(randomBytes(1_000), { vaultId });
    const [url, once, unused] = [
      await streaming(whole),
      await mintDownload(kept.harness, whole),
      await kept.mint({ vaultId }),
    ];
    const open = await kept.mint({ vaultId, sizeBytes: 2_000 });
    const location = await newUpload(urlOf(0), open.istk, 2_000);
    expect(await given(url)).toHaveLength(1_000);
    await kept.revoke({ scope: 'vault', vault_id: vaultId });
    expect([await given(url), await given(once)]).toEqual(['ISTK_INVALID', 'ISTK_INVALID']);
    expect((await tus(urlOf(1), 'HEAD', location)).status).toBe(404);
    const begun = await tus(urlOf(1), 'POST', `/encrypt?istk=${unused.istk}`, { 'Upload-Length': '10' });
    expect(begun.status).toBe(401);
    await until(async () => (await kept.keysOf(whole)).length === 0);
    const folders = await readdir(`${kept.harness.objectsDir}/v1`).catch(() => []);
    expect(folders).not.toContain(whole.versionId);
  });

  it('VLT-24: the event of the deletion alone does the same', async () => {
    const vaultId = newId('vlt_');
    const whole = await stored(randomBytes(1_000), { vaultId });
    const url = await streaming(whole);
    await kept.publish([vaultDeleted, { vault_id: vaultId, account_id: whole.accountId, ...actor }]);
    await until(async () => (await given(url)) === 'ISTK_INVALID');
    await until(async () => (await kept.keysOf(whole)).length === 0);
  });

  it('TRAP 42: replaced content opens for those who have its URL, until that ends', async () => {
    const [before, after] = [randomBytes(1_000), randomBytes(2_000)];
    const ingot = { vaultId: newId('vlt_'), ingotId: newId('ing_'), accountId: newId('acc_') };
    const [old, current] = [await stored(before, ingot), await stored(after, ingot)];
    const [oldUrl, newUrl] = [await streaming(old), await streaming(current)];
    const { accountId: account_id, vaultId: vault_id, ingotId: ingot_id } = ingot;
    const released = { account_id, vault_id, ingot_id, version_id: old.versionId, size_bytes: 1_000 };
    await kept.publish([versionReleased, { ...released, reason: 'replaced', kept_until: null }]);
    await until(async () => (await kept.statusOf(old)) === 'replaced');
    expect([await given(oldUrl), await given(newUrl)]).toEqual([before, after]);

    await kept.sql(`UPDATE uploads SET ended_at = now() - interval '1 day' WHERE version_id = $1`, [
      old.versionId,
    ]);
    await kept.instances[0].context.get(DropReplacedVersions).run();
    expect([await given(oldUrl), await given(newUrl)]).toEqual(['ISTK_INVALID', after]);
    await until(async () => (await kept.keysOf(old)).length === 0);

    await kept.publish([ingotDeleted, { account_id, vault_id, ingot_id, ...actor }]);
    await until(async () => (await given(newUrl)) === 'ISTK_INVALID');
  });
});
