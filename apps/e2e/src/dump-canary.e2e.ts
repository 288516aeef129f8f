import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CallInput, Operation, PublicSpec } from '@vaultsvc/contracts';
import { createSpark, NewSpark } from '@vaultsvc/contracts/sparks';
import {
  createDvak,
  createIngot,
  createVault,
  downloadIngot,
  unsealVault,
  updateSharing,
  updateVault,
} from '@vaultsvc/contracts/vaults';
import { parseToken, type TokenKind } from '@vaultsvc/crypto/tokens';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import { found, heldUnder } from '@vaultsvc/testing/servers';
import pg from 'pg';
import { createClient } from '@redis/client';
import { startTemporaryStack, type TemporaryStack } from '../../../tools/stack/temporary-stack.ts';
import { formsOf } from './canary-forms.js';
import { exerciseEntropy, exerciseStructured } from './canary-keys.js';
import type { Stack } from './stack.js';
import { CHUNK_BYTES, uploadByTus } from './upload/tus-upload.js';

/**
 * Uses a stack with the most verbose log level for files, keys and values, random data and invalid requests. Then searches
 * all its stores and logs for the contents and the secrets, including names of keys. Names and types of files are
 * metadata, which must be found: this verifies the search.
 */
const NAME = `name-canary-${randomBytes(12).toString('hex')}`;
const content = randomBytes(32);
const canary = (length: number) => Buffer.alloc(length, content);

let own: TemporaryStack;
let stack: Stack;
const texts: string[] = [];
const secrets: Buffer[] = [content];
let searched: string[] = [];

beforeAll(async () => {
  own = await startTemporaryStack({ settings: { LOG_LEVEL: 'trace' } });
  stack = own.descriptor() as Stack;
  await exerciseStack();
  searched = [...texts, ...secrets.flatMap(formsOf)];
}, 300_000);
afterAll(() => own.stop());

function remember(kind: TokenKind, text: string): string {
  texts.push(text.slice(text.indexOf('_') + 1));
  secrets.push(parseToken(kind, text) as Buffer);
  return text;
}

/** Remembers the ISTK of a URL, or the upload_id at the end of its path. */
function rememberUrl(url: string): string {
  const { searchParams, pathname } = new URL(url);
  const text = searchParams.get('istk') ?? (pathname.split('/').at(-1) as string);
  texts.push(text);
  secrets.push(Buffer.from(text, 'base64url'));
  return url;
}

async function exerciseStack(): Promise<void> {
  const client = api(stack.api_url, { key: stack.account.api_key });
  texts.push(stack.account.api_key);
  const { vault_id, vmk } = succeeded(await client.call(createVault, { body: { name: NAME } }));
  const params = { vault_id };
  const nhi = { dvak_type: 'nhi', nhi_description: 'canary', access_level: 'read_write' } as const;
  const dvak = succeeded(
    await client.call(createDvak, { params, body: { vmk: remember('vmk', vmk), ...nhi } }),
  );
  const unseal = async (key: { vmk: string } | { dvak_token: string }) => {
    const { vat } = succeeded(
      await client.call(unsealVault, { params, body: { ...key, ttl_seconds: 3_600 } }),
    );
    return { 'X-Vault-Access-Token': remember('vat', vat) };
  };
  const tokens = [await unseal({ vmk }), await unseal({ dvak_token: remember('dvak', dvak.dvak_token) })];
  for (const token of tokens) {
    const get = async <S extends PublicSpec>(op: Operation<S>, input: CallInput<S>) =>
      succeeded(await client.call(op, input, token));
    const open = async (size_bytes: number) => {
      const body = { name: `${NAME}-${size_bytes}`, size_bytes, content_type: 'text/plain' };
      const opened = await get(createIngot, { params, body });
      return { ...opened, forge_url: rememberUrl(opened.forge_url) };
    };
    const whole = await open(100_000);
    const { uploadUrl } = await uploadByTus(whole.forge_url, canary(100_000));
    rememberUrl(uploadUrl);
    for (const stream of [false, true]) {
      const input = { params: { vault_id, ingot_id: whole.ingot_id }, body: { stream } };
      const { download_url } = await get(downloadIngot, input);
      const read = async () => Buffer.from(await (await fetch(rememberUrl(download_url))).arrayBuffer());
      expect((await read()).equals(canary(100_000))).toBe(true);
      await read();
    }
    await get(downloadIngot, {
      params: { vault_id, ingot_id: whole.ingot_id },
      body: { stream: false },
    }).then(({ download_url }) => rememberUrl(download_url));
    await open(50); // its ISTK is never used
    await shareForGood(client, { vault_id, ingot_id: whole.ingot_id }, token);
    await startUpload(await open(CHUNK_BYTES + 10));
    await sendInvalidRequests(whole.forge_url, uploadUrl);
    secrets.push(...(await exerciseStructured(client, vault_id, token)));
  }
  secrets.push(...(await exerciseEntropy(client)));
}

/** Links that are still open at the end: a durable one to the file, which is opened, and one to a Spark, which is not. */
async function shareForGood(
  client: Api,
  params: { vault_id: string; ingot_id: string },
  token: Record<string, string>,
): Promise<void> {
  const sharing = { params: { vault_id: params.vault_id }, body: { public_file_sharing: true } };
  succeeded(await client.call(updateVault, sharing));
  const share = { params, body: { shared: true, visibility: 'public' as const } };
  const { public_url } = succeeded(await client.call(updateSharing, share, token));
  const body = Object.assign(new NewSpark(), {
    payload: 'https://canary.example/',
    content_type: 'text/uri-list',
  });
  const { link_url } = succeeded(await client.call(createSpark, { body }));
  texts.push(codeOf(public_url), codeOf(link_url));
  const opened = await fetch(`${public_url}/open`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  expect(opened.status).toBe(200);
  await fetch(link_url ?? '');
}

/** The code of a link, the last part of its URL. */
function codeOf(url: string | null | undefined): string {
  const code = url?.split('/').at(-1) ?? '';
  expect(code).toMatch(/^[A-Za-z0-9]{20,}$/);
  return code;
}

/** Sends one chunk of an upload that is never completed. */
async function startUpload({ forge_url }: { forge_url: string }): Promise<void> {
  const tus = { 'Tus-Resumable': '1.0.0' };
  const created = await fetch(forge_url, {
    method: 'POST',
    headers: { ...tus, 'Upload-Length': String(CHUNK_BYTES + 10) },
  });
  const url = rememberUrl(new URL(created.headers.get('location') ?? '', forge_url).href);
  const headers = { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  expect((await fetch(url, { method: 'PATCH', headers, body: canary(CHUNK_BYTES) })).status).toBe(204);
  expect((await fetch(url, { method: 'PATCH', headers, body: canary(100) })).status).toBe(400);
}

/** Sends secrets in invalid places, so that the refusals are logged. */
async function sendInvalidRequests(forgeUrl: string, uploadUrl: string): Promise<void> {
  const { search } = new URL(forgeUrl);
  for (const target of [`/decrypt${search}`, `/progress${search}`, `/nothing${search}`])
    await fetch(stack.forge_url + target);
  for (const method of ['PATCH', 'POST', 'GET']) await fetch(uploadUrl, { method });
  await fetch(`${stack.api_url}/v1/vaults${search}`, { headers: { 'X-API-Key': texts.at(-1) ?? '' } });
}

/** All rows of all schemas as text, bytes in hex. */
async function dumpOfPostgres(): Promise<string> {
  const client = new pg.Client({ connectionString: stack.postgres_url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of rows)
    parts.push(
      ...(await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)).rows.map(
        ({ row }) => row,
      ),
    );
  await client.query('CHECKPOINT');
  await client.end();
  return parts.join('\n');
}

async function dumpOfRedis(): Promise<string> {
  const client = await createClient({ url: stack.redis_url }).connect();
  const parts: string[] = [];
  for (const key of await client.keys('*'))
    parts.push(
      key,
      (await client.type(key)) === 'hash'
        ? JSON.stringify(await client.hGetAll(key))
        : ((await client.get(key)) ?? ''),
    );
  client.destroy();
  return parts.join('\n');
}

/** The data folder of a server of the stack. */
const folderOf = (name: string) => realpathSync(join(dirname(own.descriptorPath), name));

describe('VLT-26 FRG-35 VLT-04 MISC-03 STR-12 LNK-22: the search for contents, values, names of keys and secrets', () => {
  it('finds them in every encoding and at every position', () => {
    expect(secrets.length).toBeGreaterThan(20);
    for (const before of ['', 'x', 'xy']) {
      const text = Buffer.concat([Buffer.from(before), content, Buffer.from('more')]);
      for (const encoding of ['latin1', 'hex', 'base64', 'base64url'] as const)
        expect(found(text.toString(encoding), formsOf(content))).not.toEqual([]);
    }
  });

  it('finds no content, value, name of a key, key, token, ISTK, upload_id or code of an open link in any row of any schema', async () => {
    const dump = await dumpOfPostgres();
    expect(found(dump, [NAME, ...searched])).toEqual([NAME]);
  });

  it('finds none of them in Redis', async () => {
    expect(found(await dumpOfRedis(), searched)).toEqual([]);
  });

  it.each(['postgres', 'redis', 'nats', 'objects', 'logs'])(
    'finds none of them in the files of %s',
    (folder) => {
      expect(heldUnder(folderOf(folder), searched)).toEqual([]);
    },
    120_000,
  );

  it('covers the data folder of PostgreSQL, and logs that contain every request', () => {
    expect(heldUnder(folderOf('postgres'), [NAME])).toEqual([NAME]);
    const routes = [
      '/encrypt/:uploadId',
      '/decrypt',
      '"refused"',
      '/v1/products/structured-ingots/{vault_id}/{ingot_id}',
      '/v1/entropy/generate',
    ];
    expect(heldUnder(folderOf('logs'), routes).toSorted()).toEqual(routes.toSorted());
  });
});
