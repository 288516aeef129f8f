import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext, VaultAccess } from '@vaultsvc/contracts';
import { createDvak, downloadIngot, type DownloadRequest } from '@vaultsvc/contracts/vaults';
import { unwrapFileKey } from '@vaultsvc/crypto/container';
import { newId } from '@vaultsvc/crypto/encoding';
import { reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import {
  istkOf,
  readContent,
  sendContent,
  useUploadPlatform,
  type UploadFixture,
} from '../testing/uploads.js';

const platform = useUploadPlatform();
let fixture: UploadFixture;
beforeAll(async () => {
  fixture = await platform.newVaultFixture();
});

interface Istk {
  readonly [column: string]: unknown;
  readonly wrapped_key: Buffer;
  readonly expires: number;
}

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const istk = async (url: string) => {
  const rows = await platform.forgeSql<Istk>(
    `SELECT *, floor(extract(epoch FROM expires_at))::bigint AS expires FROM istks WHERE lookup = $1`,
    [istkOf(url).lookup],
  );
  return rows[0] as Istk;
};
const download = (ingot_id: string, context: AccountContext, body: Partial<DownloadRequest> = {}) =>
  platform.call(downloadIngot, { params: { vault_id: fixture.vault_id, ingot_id }, body }, context);

describe('POST /v1/vaults/{vault_id}/ingots/{ingot_id}/download', () => {
  it('ING-29: returns the ingot and a URL with an ISTK for 24 hours, limited to the size of the content', async () => {
    const content = { size_bytes: 77, content_type: 'image/png', original_filename: 'Cat.png' };
    const ingot_id = await fixture.filled({ ...content, name: 'cat' });
    const answer = await fixture.download(ingot_id);
    expect(answer).toEqual({
      ...content,
      ingot_id,
      name: 'cat',
      status: 'ready',
      stream: false,
      version_id: expect.stringMatching(/^ver_/),
      content_hash: null, // uploaded to Forge of the previous release
      modified_at: null,
      download_url: expect.stringMatching(/\/decrypt\?istk=[A-Za-z0-9_-]{43}$/),
      expires_at: expect.any(Number),
    });
    expect(answer.download_url.startsWith(`${platform.forgeUrl}/`)).toBe(true);
    expect(Math.abs(answer.expires_at - nowSeconds() - 86_400)).toBeLessThan(5);
    expect(await istk(answer.download_url)).toMatchObject({
      operation: 'decrypt',
      mode: 'once',
      bytes_max: 77,
      size_bytes: 77,
      content_type: 'image/png',
      filename: 'Cat.png',
      dvak_id: null,
      seal_epoch: 0,
      expires: answer.expires_at,
    });
  });

  it('ING-28 ING-30 AMB-47: returns a streaming URL that shows one of its 12 hours, limited to 20 times the content and at least 1 GiB', async () => {
    const small = await fixture.download(await fixture.filled({ size_bytes: 10 }), { stream: true });
    expect(small).toMatchObject({ stream: true, original_filename: null });
    const row = await istk(small.download_url);
    expect(row).toMatchObject({ mode: 'stream', bytes_max: 1_073_741_824 });
    expect(row.expires - small.expires_at).toBe(11 * 3_600);
    expect(Math.abs(small.expires_at - nowSeconds() - 3_600)).toBeLessThan(5);
    const large = await fixture.download(await fixture.filled({ size_bytes: 1_000_000_000 }), {
      stream: true,
    });
    expect(await istk(large.download_url)).toMatchObject({ bytes_max: 20_000_000_000 });
  });

  it('ING-28: accepts true or false for stream, by default false', async () => {
    const ingot_id = await fixture.filled();
    expect((await fixture.download(ingot_id, {})).stream).toBe(false);
    for (const stream of ['yes', 1, null])
      expect(await reasonOf(fixture.download(ingot_id, { stream } as unknown as DownloadRequest))).toBe(
        'VALIDATION_ERROR',
      );
  });

  it('ING-25: finds the ingot by its name in any case, and saves it under that name without another filename', async () => {
    const ingot_id = await fixture.filled({ name: 'By Name.txt' });
    const answer = await fixture.download(':by name.TXT');
    expect(answer.ingot_id).toBe(ingot_id);
    expect(await istk(answer.download_url)).toMatchObject({ filename: 'By Name.txt' });
  });

  it("wraps the file's key so that only the ISTK opens it, on exactly these terms", async () => {
    const ingot_id = await fixture.filled({ size_bytes: 5 });
    const { download_url } = await fixture.download(ingot_id);
    const { wrapped_key, version_id, expires } = await istk(download_url);
    const { accountId } = fixture.caller.credential;
    const file = { accountId, vaultId: fixture.vault_id, ingotId: ingot_id, versionId: version_id as string };
    const terms = { operation: 'decrypt', mode: 'once', bytesMax: 5, expiresAt: expires } as const;
    const { bytes } = istkOf(download_url);
    const byIstk = unwrapFileKey(bytes, file, { holder: 'istk', terms }, wrapped_key);
    const longer = { ...terms, expiresAt: expires + 1 };
    expect(() => unwrapFileKey(bytes, file, { holder: 'istk', terms: longer }, wrapped_key)).toThrow();
    const vaultKey = await fixture.vaultKey();
    const [version] = await platform.sql<{ wrapped_key: Buffer }>(
      `SELECT wrapped_key FROM ingot_versions WHERE id = $1`,
      [version_id],
    );
    expect(unwrapFileKey(vaultKey, file, { holder: 'vk' }, version?.wrapped_key as Buffer)).toEqual(byIstk);
  });

  it('VAT-08 VAT-11: accepts a read-only token, and passes the id of the key that minted it to forge', async () => {
    const { vault_id, vmk, caller } = fixture;
    const body = { vmk, dvak_type: 'nhi', nhi_description: 'reader', access_level: 'read' } as const;
    const { dvak_token } = await platform.call(createDvak, { params: { vault_id }, body }, caller);
    const { vat } = await platform.unseal(vault_id, { dvak_token }, caller);
    const vault: VaultAccess = { token: vat, accessLevel: 'read' };
    const { download_url } = await download(await fixture.filled(), { ...caller, vault });
    const [dvak] = await platform.sql(`SELECT id FROM dvaks WHERE vault_id = $1`, [vault_id]);
    expect(await istk(download_url)).toMatchObject({ dvak_id: dvak?.id });
  });

  it('publishes the download, and counts nothing before bytes are sent', async () => {
    const own = await platform.newVaultFixture();
    const ingot_id = await own.filled();
    await own.download(ingot_id);
    const downloaded = (await own.events()).filter(({ name }) => name === 'vaults.ingot-downloaded');
    expect(downloaded.map(({ payload }) => payload.ingot_id)).toEqual([ingot_id]);
    const [row] = await platform.sql(`SELECT access_count FROM ingots WHERE id = $1`, [ingot_id]);
    expect(row).toEqual({ access_count: 0 });
  });
});

describe('POST /v1/vaults/{vault_id}/ingots/{ingot_id}/download, refused', () => {
  it('OPEN-17: answers 409 until a first upload is complete', async () => {
    const { ingot_id } = await fixture.create({});
    expect(await reasonOf(fixture.download(ingot_id))).toBe('INGOT_NOT_READY');
  });

  it('AMB-13: answers 404 and 403 before 402, and 402 before 409', async () => {
    const poor = (pools: AccountContext['pools']) => ({ ...fixture.at('read'), ...(pools && { pools }) });
    const exhausted = poor({ plan: 'active', exhausted: ['bandwidth'] });
    const managed = await fixture.store({ managedBy: 'somebody' });
    const pending = await fixture.create({});
    expect(await reasonOf(download(newId('ing_'), exhausted))).toBe('INGOT_NOT_FOUND');
    expect(await reasonOf(download(managed.ingot_id, exhausted))).toBe('INGOT_MANAGED');
    expect(await reasonOf(download(pending.ingot_id, poor({ plan: 'none', exhausted: [] })))).toBe(
      'PLAN_REQUIRED',
    );
    const error: unknown = await download(pending.ingot_id, exhausted).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ reason: 'QUOTA_EXCEEDED', details: { resource: 'bandwidth' } });
    const fullStorage = poor({ plan: 'active', exhausted: ['storage'] });
    expect((await download(await fixture.filled(), fullStorage)).status).toBe('ready');
  });

  it('answers 404 for an ingot of another vault of the account', async () => {
    const other = await platform.newVaultFixture(fixture.caller);
    expect(await reasonOf(fixture.download(await other.filled()))).toBe('INGOT_NOT_FOUND');
  });
});

describe('ING-33 FRG-32: content that was uploaded through Forge', () => {
  it('is downloaded unchanged; a replaced content until its replacement is complete', async () => {
    const own = await platform.newVaultFixture();
    const [first, second] = [randomBytes(100_000), randomBytes(70_000)];
    const { ingot_id, forge_url } = await own.create({ size_bytes: first.length });
    await sendContent(forge_url, first);
    const before = await own.download(ingot_id);
    const replacement = await own.replace(ingot_id, { size_bytes: 80_000 });
    expect(await readContent((await own.download(ingot_id)).download_url)).toEqual({
      status: 200,
      bytes: first,
    });
    await sendContent(replacement.forge_url, second);
    const after = await own.download(ingot_id);
    expect(after.size_bytes).toBe(70_000);
    expect(await readContent(after.download_url)).toEqual({ status: 200, bytes: second });
    // A URL from before the replacement still serves the old content.
    expect(await readContent(before.download_url)).toEqual({ status: 200, bytes: first });
  });

  it('ING-30: is downloaded once by a single-use URL, repeatedly by a streaming URL; each download is counted once', async () => {
    const own = await platform.newVaultFixture();
    const content = randomBytes(10_000);
    const { ingot_id, forge_url } = await own.create({ size_bytes: content.length });
    await sendContent(forge_url, content);
    const [once, stream] = [await own.download(ingot_id), await own.download(ingot_id, { stream: true })];
    const statuses = async (url: string) => [
      (await readContent(url)).status,
      (await readContent(url)).status,
    ];
    expect(await statuses(once.download_url)).toEqual([200, 401]);
    expect(await statuses(stream.download_url)).toEqual([200, 200]);
    const moved = `SELECT access_count, total_bandwidth_bytes FROM ingots WHERE id = $1`;
    await eventually(
      async () => (await platform.sql(moved, [ingot_id]))[0],
      (row) => row?.access_count === 2 && row.total_bandwidth_bytes === 40_000, // an upload and three downloads
    );
  });
});
