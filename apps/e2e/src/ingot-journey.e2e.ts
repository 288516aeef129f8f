import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createDvak,
  createFolder,
  createIngot,
  createVault,
  deleteIngot,
  deleteVault,
  downloadIngot,
  listIngots,
  readIngot,
  readVault,
  replaceIngot,
  revokeDvak,
  sealVault,
  searchIngots,
  unsealVault,
  updateIngot,
  type IngotUpload,
} from '@vaultsvc/contracts/vaults';
import type { CallInput, Operation, PublicSpec, Reply } from '@vaultsvc/contracts';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded, type ApiResponse, type Api } from '@vaultsvc/testing/http';
import { eventually, until } from '@vaultsvc/testing/waiting';
import pg from 'pg';
import { signUpOrganization } from './sign-in.js';
import { stack } from './stack.js';
import { CHUNK_BYTES, uploadByTus } from './upload/tus-upload.js';
import { usedPools } from './used-pools.js';

/** The lifecycle of files, against the local stack. */
const { postgres_url, objects_dir } = stack();
const small = randomBytes(1_000);
const newer = randomBytes(1_234);
const large = randomBytes(CHUNK_BYTES + 1);
const half = randomBytes(CHUNK_BYTES + 10);

const tus = { 'Tus-Resumable': '1.0.0' };

let client: Api;
let database: pg.Client;
let vault: { vault_id: string; vmk: string };
let token: Record<string, string>;
/** An ingot that is never downloaded; a request for its URL shows the pools without consuming them. */
let probe: string;

const call = <S extends PublicSpec>(op: Operation<S>, input: CallInput<S>): Promise<ApiResponse<Reply<S>>> =>
  client.call(op, input, token);
const get = async <S extends PublicSpec>(op: Operation<S>, input: CallInput<S>) =>
  succeeded(await call(op, input));
const of = (ingot_id: string) => ({ params: { vault_id: vault.vault_id, ingot_id } });
const inVault = () => ({ params: { vault_id: vault.vault_id } });

async function unseal(key: { vmk: string } | { dvak_token: string }) {
  const input = { ...inVault(), body: { ...key, ttl_seconds: 3_600 } };
  return { 'X-Vault-Access-Token': succeeded(await client.call(unsealVault, input)).vat };
}

const open = (name: string, { length: size_bytes }: Buffer, folder_id?: string) =>
  get(createIngot, { ...inVault(), body: { name, size_bytes, content_type: 'text/plain', folder_id } });

async function send({ forge_url, ingot_id }: IngotUpload, content: Buffer): Promise<string> {
  expect(await uploadByTus(forge_url, content)).toMatchObject({ isComplete: true });
  return ingot_id;
}

async function sendFirstChunk(uploadUrl: string, content: Buffer): Promise<void> {
  const headers = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream', ...tus };
  const body = content.subarray(0, CHUNK_BYTES);
  expect((await fetch(uploadUrl, { method: 'PATCH', headers, body })).status).toBe(204);
}
const upload = async (name: string, content: Buffer) => send(await open(name, content), content);

const urlOf = async (ingot_id: string, stream = false) =>
  (await get(downloadIngot, { ...of(ingot_id), body: { stream } })).download_url;

async function bytesOf(
  url: string,
  range?: string,
): Promise<{ status: number; bytes: Buffer; headers: Headers }> {
  const answer = await fetch(url, range === undefined ? {} : { headers: { Range: range } });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()), headers: answer.headers };
}
const statusOf = async (url: string) => (await bytesOf(url)).status;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const pools = () => usedPools(() => call(downloadIngot, { ...of(probe), body: { stream: false } }));

/** The consumption of this journey so far; the pools follow asynchronously, by events. */
const drawn = { storage: 0, bandwidth: 0 };
async function draws(storage: number, bandwidth: number): Promise<void> {
  drawn.storage += storage;
  drawn.bandwidth += bandwidth;
  const isExact = (now: typeof drawn) => now.storage === drawn.storage && now.bandwidth === drawn.bandwidth;
  expect(await eventually(pools, isExact)).toEqual(drawn);
}

const versionsKept = async (vaultId: string) =>
  (
    await database.query<{ version_id: string }>(`SELECT version_id FROM forge.uploads WHERE vault_id = $1`, [
      vaultId,
    ])
  ).rows.map(({ version_id }) => join(objects_dir, 'v1', version_id));

beforeAll(async () => {
  database = new pg.Client({ connectionString: postgres_url });
  await database.connect();
  ({ client } = await signUpOrganization('Journey of files'));
  vault = succeeded(await client.call(createVault, { body: { name: newId('vault_') } }));
  token = await unseal(vault);
});
afterAll(() => database.end());

describe('files in a vault', () => {
  let report: string;
  let film: string;

  it('ING-09 ING-10 ING-40 FRG-32 FRG-31: are uploaded by tus and active after the answer to the last byte', async () => {
    const opened = await open('Report.txt', small);
    expect(opened).toMatchObject({
      name: 'Report.txt',
      size_bytes: 1_000,
      content_type: 'text/plain',
      status: 'uploading',
    });
    expect(new URL(opened.forge_url).searchParams.get('istk')).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(Math.abs(opened.expires_at - Date.now() / 1_000 - 86_400)).toBeLessThan(60);
    report = await send(opened, small);
    probe = report;
    expect(await get(readIngot, of(report))).toMatchObject({ status: 'active', size_bytes: 1_000 });
    await draws(small.length, small.length);
  });

  it('ENV-11 ING-41 AMB-15: reserve storage when they are created, and are counted once', async () => {
    const opened = await open('Film.mp4', large);
    await draws(large.length, 0);
    film = await send(opened, large);
    await draws(0, large.length);
    const again = await open('FILM.MP4', small);
    expect(again.ingot_id).toBe(film);
    await draws(small.length, 0);
    expect(await get(readIngot, of(film))).toMatchObject({ status: 'active', size_bytes: large.length });
    // The old content keeps its storage until the new one is complete.
    await send(again, small);
    await draws(small.length - large.length - small.length, small.length);
    await send(await open('film.mp4', large), large);
    await draws(large.length - small.length, large.length);
  });

  it('ING-11 ING-13 ING-20 ING-21 ING-24: are listed, found by the prefix of their names, and read', async () => {
    const { ingots } = await get(listIngots, {
      ...inVault(),
      query: { limit: 10, sort_by: 'size', sort_order: 'desc' },
    });
    expect(ingots.map(({ ingot_id }) => ingot_id)).toEqual([film, report]);
    expect(ingots.map(({ file_type }) => file_type)).toEqual(['video', 'document']);
    const search = async (q: string) =>
      (await get(searchIngots, { ...inVault(), query: { q, limit: 10, sort_by: 'name', sort_order: 'asc' } }))
        .ingots.length;
    expect(await Promise.all(['rep', 'REPORT.T', 'port', '%', 'f'].map(search))).toEqual([1, 1, 0, 0, 1]);
  });

  it('ING-04 ING-29 ING-30 FRG-19 FRG-25: are downloaded once by a single-use URL', async () => {
    const url = await urlOf(film);
    const { status, bytes, headers } = await bytesOf(url);
    expect([status, sha256(bytes)]).toEqual([200, sha256(large)]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': String(large.length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'x-ingot-id': film,
      'content-disposition': expect.stringMatching(/^attachment; filename="?film\.mp4"?/i),
    });
    const again = await fetch(url);
    expect([again.status, await again.json()]).toMatchObject([
      401,
      { error: { code: 'AUTHENTICATION_ERROR', details: { code: 'ISTK_USED' } } },
    ]);
    await draws(0, large.length);
  });

  it('FRG-20 FRG-21 ING-30 FRG-27: support ranges by a streaming URL, across chunk boundaries as well', async () => {
    const url = await urlOf(film, true);
    const { length } = large;
    const slices: [string, number, number][] = [
      ['bytes=0-0', 0, 1],
      [`bytes=${length - 5}-`, length - 5, length],
      ['bytes=-3', length - 3, length],
      [`bytes=${CHUNK_BYTES - 2}-${CHUNK_BYTES}`, CHUNK_BYTES - 2, CHUNK_BYTES + 1],
      [`bytes=${CHUNK_BYTES}-${length + 99}`, CHUNK_BYTES, length],
    ];
    let sent = 0;
    for (const [range, start, end] of slices) {
      const { status, bytes, headers } = await bytesOf(url, range);
      expect([range, status, headers.get('content-range')]).toEqual([
        range,
        206,
        `bytes ${start}-${end - 1}/${length}`,
      ]);
      expect(bytes.equals(large.subarray(start, end))).toBe(true);
      sent += end - start;
    }
    const beyond = await bytesOf(url, `bytes=${length}-`);
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${length}`]);
    for (const _ of [1, 2]) expect(await statusOf(url)).toBe(200);
    await draws(0, sent + 2 * length);
  });

  it('ING-19 VLT-25: count their downloads and bytes, in the vault as well', async () => {
    const whole = await eventually(
      async () => succeeded(await client.call(readVault, inVault())),
      (now) => now.total_access_count >= 2 && now.total_bandwidth_bytes >= drawn.bandwidth,
    );
    expect(whole).toMatchObject({
      ingot_count: 2,
      storage_bytes: drawn.storage,
      total_access_count: 2,
      total_bandwidth_bytes: drawn.bandwidth,
    });
    const ofFilm = { access_count: 2, total_bandwidth_bytes: drawn.bandwidth - 1_000 };
    expect(await get(readIngot, of(film))).toMatchObject(ofFilm);
    expect(await get(readIngot, of(report))).toMatchObject({ access_count: 0, total_bandwidth_bytes: 1_000 });
  });

  it('ING-31 ING-32 ING-33 FRG-15 FRG-16: are replaced during a download of the old content, and keep it when the replacement is cancelled', async () => {
    const { updated_at } = await get(readIngot, of(report));
    const stale = { size_bytes: 1, expected_updated_at: updated_at - 1 };
    expect((await call(replaceIngot, { ...of(report), body: stale })).status).toBe(412);
    const opened = await get(replaceIngot, {
      ...of(report),
      body: { size_bytes: half.length, expected_updated_at: updated_at },
    });
    await draws(half.length, 0);
    const { uploadUrl } = await uploadByTus(opened.forge_url, half, { interruptAfterBytes: 1 });
    await sendFirstChunk(uploadUrl, half);
    expect((await bytesOf(await urlOf(report))).bytes.equals(small)).toBe(true);
    const cancel = () => fetch(uploadUrl, { method: 'DELETE', headers: tus });
    expect((await cancel()).status).toBe(204);
    expect((await cancel()).status).toBe(404);
    await draws(-half.length, CHUNK_BYTES + small.length);
    expect((await bytesOf(await urlOf(report))).bytes.equals(small)).toBe(true);
    const again = await get(replaceIngot, { ...of(report), body: { size_bytes: newer.length } });
    const before = await urlOf(report);
    await send(again, newer);
    expect((await bytesOf(before)).bytes.equals(small)).toBe(true);
    expect((await bytesOf(await urlOf(report))).bytes.equals(newer)).toBe(true);
    await draws(newer.length - small.length, newer.length + 2 * small.length + newer.length);
  });

  it('ING-25 ING-26 ING-34 ING-35: are renamed, moved, and found by name regardless of case', async () => {
    const { folder_id } = await get(createFolder, { ...inVault(), body: { name: 'Archive' } });
    const moved = await get(updateIngot, { ...of(report), body: { name: 'Bericht.txt', folder_id } });
    expect(moved).toMatchObject({ ingot_id: report, name: 'Bericht.txt', folder_id, file_type: 'document' });
    expect(await get(readIngot, of(':BERICHT.TXT'))).toMatchObject({ ingot_id: report });
    expect((await call(readIngot, of(':report.txt'))).status).toBe(404);
    const twin = await upload('bericht.TXT', small);
    const ambiguous = await call(readIngot, of(':bericht.txt'));
    expect([ambiguous.status, ambiguous.error?.details]).toEqual([
      409,
      expect.objectContaining({
        candidates: expect.arrayContaining([
          { ingot_id: report, folder_id },
          { ingot_id: twin, folder_id: null },
        ]),
      }),
    ]);
    expect((await call(updateIngot, { ...of(report), body: { folder_id: null } })).status).toBe(409);
    await draws(small.length, small.length);
    expect((await call(deleteIngot, of(twin))).status).toBe(204);
    await draws(-small.length, 0);
  });

  it('VLT-22 FRG-25: lose every download URL when the vault is sealed, while an upload issued before may start and finish', async () => {
    const urls = [await urlOf(film), await urlOf(film, true), await urlOf(report)];
    const opened = await open('started before.txt', small);
    expect((await client.call(sealVault, inVault())).status).toBe(204);
    expect(await Promise.all(urls.map(statusOf))).toEqual([401, 401, 401]);
    expect((await call(readIngot, of(film))).status).toBe(401);
    const ingotId = await send(opened, small);
    token = await unseal(vault);
    expect(await get(readIngot, of(ingotId))).toMatchObject({ status: 'active' });
    await draws(small.length, small.length);
  });

  it('VAT-11 DVK-15: lose only the URLs of a delegated key when it is revoked', async () => {
    const own = token;
    const body = {
      vmk: vault.vmk,
      dvak_type: 'nhi',
      nhi_description: 'journey',
      access_level: 'read',
    } as const;
    const dvak = succeeded(await client.call(createDvak, { ...inVault(), body }));
    token = await unseal({ dvak_token: dvak.dvak_token });
    const theirs = [await urlOf(report), await urlOf(report, true)];
    expect((await call(deleteIngot, of(report))).status).toBe(403);
    token = own;
    const ours = [await urlOf(report), await urlOf(report, true)];
    const params = { vault_id: vault.vault_id, last4: dvak.last_4_chars };
    succeeded(await client.call(revokeDvak, { params }));
    expect(await Promise.all(theirs.map(statusOf))).toEqual([401, 401]);
    expect(await Promise.all(ours.map(statusOf))).toEqual([200, 200]);
    await draws(0, 2 * newer.length);
  });

  it('ING-36 ING-37 OPEN-17: lose their URLs and release their storage when deleted, except during an upload', async () => {
    const url = await urlOf(film, true);
    expect((await call(deleteIngot, of(film))).status).toBe(204);
    expect(await statusOf(url)).toBe(401);
    expect((await call(readIngot, of(film))).status).toBe(404);
    await draws(-large.length, 0);
    const { ingot_id } = await open('not yet.txt', small);
    expect((await call(downloadIngot, { ...of(ingot_id), body: { stream: false } })).status).toBe(409);
    expect((await call(deleteIngot, of(ingot_id))).status).toBe(400);
    await draws(small.length, 0);
  });

  it('VLT-23 VLT-24 OPEN-12: are deleted with their vault: the URLs immediately, then rows, storage and objects', async () => {
    const kept = await versionsKept(vault.vault_id);
    expect(kept.filter((folder) => existsSync(folder))).not.toEqual([]);
    const opened = await open('too late.txt', small);
    const urls = [await urlOf(report), await urlOf(report, true)];
    expect((await client.call(deleteVault, inVault())).status).toBe(202);
    expect(await Promise.all(urls.map(statusOf))).toEqual([401, 401]);
    await expect(uploadByTus(opened.forge_url, small)).rejects.toThrow('401');
    // 404 until the worker has removed the sessions of the vault; then the token is unknown.
    expect([401, 404]).toContain((await call(readIngot, of(report))).status);
    await until(async () => !kept.some((folder) => existsSync(folder)));
    vault = succeeded(await client.call(createVault, { body: { name: newId('vault_') } }));
    token = await unseal(vault);
    probe = await upload('the last one', small);
    drawn.storage = 0;
    await draws(small.length, small.length);
  });
});
