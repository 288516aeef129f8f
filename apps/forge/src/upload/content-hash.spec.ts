import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHUNK_BYTES, openChunkHash, openContentHash } from '@vaultsvc/crypto/container';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { outboxEvents, rowsOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { forge } from '../service-definition.js';
import type { MintedTransfer } from '../testing/transfers.js';
import { forgeUrl, mintUpload, type NewUpload, sendChunk, tus } from '../testing/uploads.js';

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
const service = useService(harness, forge);
let url: string;
let other: string;
beforeAll(async () => {
  url = forgeUrl(service);
  other = forgeUrl(await harness.start(forge)); // a second instance on the same store
});

const sha256 = (...parts: Buffer[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const sql = <Row extends Record<string, unknown>>(text: string, values: unknown[]) =>
  rowsOf<Row>(service, text, values);

const FIRST = randomBytes(CHUNK_BYTES);
const LAST = randomBytes(70_000);
const BYTES = FIRST.length + LAST.length;
const sendLast = ({ location }: NewUpload, on = url) => sendChunk(on, location, CHUNK_BYTES, LAST);

/** An upload of two chunks, of which the first is stored. */
async function begun(): Promise<NewUpload> {
  const opened = await mintUpload(harness, url, BYTES);
  expect((await sendChunk(url, opened.location, 0, FIRST)).status).toBe(204);
  return opened;
}

async function sealedHashOf({ versionId }: MintedTransfer): Promise<Buffer | null> {
  const values = [versionId];
  const [row] = await sql<{ sealed: Buffer | null }>(
    'SELECT sealed_hash AS sealed FROM uploads WHERE version_id = $1',
    values,
  );
  return row?.sealed ?? null;
}

async function publishedHashOf({ versionId }: MintedTransfer): Promise<unknown> {
  const [event] = await outboxEvents(
    service,
    { version_id: versionId },
    { name: 'forge.upload-finalized', columns: ['payload'] },
  );
  return event?.payload['sealed_hash'];
}

const setHash = ({ versionId }: MintedTransfer, chunk: number, value: Buffer | null) =>
  sql('UPDATE chunks SET sealed_hash = $3 WHERE version_id = $1 AND chunk = $2', [versionId, chunk, value]);

describe('FRG-37: the hash of a complete upload', () => {
  it('of one chunk is the SHA-256 of the file; chunk and version keep it, sealed', async () => {
    const content = randomBytes(5_000);
    const { transfer, location } = await mintUpload(harness, url, content.length);
    await sendChunk(url, location, 0, content);
    const file = { ...transfer, bytes: content.length };
    const sealed = (await sealedHashOf(transfer)) as Buffer;
    expect(openContentHash(transfer.fileKey, file, sealed)).toEqual(sha256(content));
    expect(await publishedHashOf(transfer)).toBe(sealed.toString('hex'));
    const [chunk] = await sql<{ sealed_hash: Buffer }>(
      'SELECT sealed_hash FROM chunks WHERE version_id = $1',
      [transfer.versionId],
    );
    expect(openChunkHash(transfer.fileKey, file, 0, chunk?.sealed_hash as Buffer)).toEqual(sha256(content));
  });

  it('FRG-35: is stored nowhere unsealed', async () => {
    const content = randomBytes(5_000);
    const { transfer, location } = await mintUpload(harness, url, content.length);
    await sendChunk(url, location, 0, content);
    const rows = ['uploads', 'chunks', 'istks', 'outbox'].map(
      (table) =>
        `SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE to_jsonb(t)::text LIKE '%' || $1 || '%'`,
    );
    const texts = await sql<{ row: string }>(rows.join(' UNION ALL '), [transfer.versionId]);
    expect(texts.length).toBeGreaterThan(2);
    for (const { row } of texts) expect(row).not.toContain(sha256(content).toString('hex'));
  });

  it('of several chunks is the SHA-256 of their hashes, whichever instances received them, and 409 for the losers of the last', async () => {
    const opened = await begun();
    expect(await sealedHashOf(opened.transfer)).toBeNull();
    const racing = await Promise.all([1, 2, 3, 4].map((turn) => sendLast(opened, turn % 2 ? url : other)));
    const statuses = racing.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    // Another instance may also read the row after the commit, and answer 400 (AMB-26).
    expect(statuses.every((status) => [204, 409, 400].includes(status))).toBe(true);
    const { transfer } = opened;
    const sealed = (await sealedHashOf(transfer)) as Buffer;
    const hash = openContentHash(transfer.fileKey, { ...transfer, bytes: BYTES }, sealed);
    expect(hash).toEqual(sha256(sha256(FIRST), sha256(LAST)));
  });

  it('is missing if an instance of the previous release received a chunk', async () => {
    const opened = await begun();
    await setHash(opened.transfer, 0, null);
    expect((await sendLast(opened)).status).toBe(204);
    expect(await sealedHashOf(opened.transfer)).toBeNull();
    expect(await publishedHashOf(opened.transfer)).toBeNull();
  });

  it('is refused with 500 if the hash of another chunk was changed, and nothing of the last is kept', async () => {
    const opened = await begun();
    const { transfer, location } = opened;
    const values = [transfer.versionId];
    const [row] = await sql<{ sealed_hash: Buffer }>(
      'SELECT sealed_hash FROM chunks WHERE version_id = $1',
      values,
    );
    const own = row?.sealed_hash as Buffer;
    const changed = Buffer.from(own);
    changed[100]! ^= 1;
    for (const hash of [changed, own.subarray(1), randomBytes(129)]) {
      await setHash(transfer, 0, hash);
      expect((await sendLast(opened)).status).toBe(500);
      expect((await tus(url, 'HEAD', location)).headers['upload-offset']).toBe(String(CHUNK_BYTES));
      const files = () => readdir(join(harness.objectsDir, 'v1', transfer.versionId));
      await eventually(files, (names) => names.length === 1);
    }
    await setHash(transfer, 0, own);
    expect((await sendLast(opened)).status).toBe(204);
  });
});
