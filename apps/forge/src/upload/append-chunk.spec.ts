import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHUNK_BYTES } from '@vaultsvc/crypto/container';
import { Database, statement } from '@vaultsvc/database';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { outboxEvents, rowsOf } from '@vaultsvc/testing/harness';
import { eventually, until } from '@vaultsvc/testing/waiting';
import { forge } from '../service-definition.js';
import { startChunk, receiving } from '../testing/streamed-chunk.js';
import { objectKeysOf, storedContent } from '../testing/stored-file.js';
import { mintTransfer } from '../testing/transfers.js';
import { errorOf, forgeUrl, mintUpload, type NewUpload, sendChunk, tus, upload } from '../testing/uploads.js';

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
const service = useService(harness, forge);
let url: string;
let other: string;
beforeAll(async () => {
  url = forgeUrl(service);
  other = forgeUrl(await harness.start(forge)); // a second instance on the same store
});

/** By Content-Length, and without it. */
const framings: readonly Record<string, string>[] = [{}, { 'Transfer-Encoding': 'chunked' }];

const open = (bytes: number) => mintUpload(harness, url, bytes);
const offsetOf = async (location: string) => (await tus(url, 'HEAD', location)).headers['upload-offset'];
const objectsOf = ({ transfer }: NewUpload) => objectKeysOf(service, transfer.versionId);

/** Expects that nothing of a chunk was kept: neither offset nor object nor temporary file. */
async function expectNothingKept(opened: NewUpload, offset = 0, objects = 0): Promise<void> {
  expect(await offsetOf(opened.location)).toBe(String(offset));
  const files = () => readdir(join(harness.objectsDir, 'v1', opened.transfer.versionId)).catch(() => []);
  await eventually(files, (names) => names.length === objects);
}

describe('PATCH /encrypt/{upload_id}', () => {
  it('FRG-10 FRG-32: answers 204 with the new offset, without an ISTK; the last chunk finishes the upload and publishes it', async () => {
    const { transfer, location } = await open(5);
    const response = await sendChunk(url, location, 0, Buffer.from('bytes'));
    expect(response.status).toBe(204);
    expect(response.headers).toMatchObject({ 'upload-offset': '5', 'tus-resumable': '1.0.0' });
    const { versionId, accountId, vaultId, ingotId } = transfer;
    const [row] = await rowsOf(
      service,
      'SELECT status, wrapped_key, sweep_at > now() AS has_later_cleanup FROM uploads WHERE version_id = $1',
      [versionId],
    );
    expect(row).toEqual({ status: 'finalized', wrapped_key: null, has_later_cleanup: true });
    const events = await outboxEvents(
      service,
      { version_id: versionId },
      { name: 'forge.upload-finalized', columns: ['account_id', 'request_id', 'payload'] },
    );
    expect(events).toEqual([
      {
        account_id: accountId,
        request_id: response.headers['x-request-id'],
        payload: {
          account_id: accountId,
          vault_id: vaultId,
          ingot_id: ingotId,
          version_id: versionId,
          size_bytes: 5,
          sealed_hash: expect.stringMatching(/^[0-9a-f]{258}$/),
        },
      },
    ]);
  });

  it.each([1, 65_536, 65_537, 1_000_000])('ING-41: stores %i bytes unchanged', async (bytes) => {
    const transfer = await mintTransfer(harness, { sizeBytes: bytes });
    const content = randomBytes(bytes);
    await upload(url, transfer.istk, content);
    expect((await storedContent(service, transfer, bytes)).equals(content)).toBe(true);
  });

  it('accepts a chunk without Content-Length', async () => {
    const { location } = await open(5);
    const chunked = { 'Transfer-Encoding': 'chunked' };
    expect((await sendChunk(url, location, 0, Buffer.from('bytes'), chunked)).status).toBe(204);
  });

  it('FRG-33 OPEN-55: answers 404 for an unknown upload and for a malformed id', async () => {
    for (const id of ['A'.repeat(43), 'A'.repeat(42), 'x', '..%2f', '%00']) {
      const response = await sendChunk(url, `/encrypt/${id}`, 0, Buffer.from('bytes'));
      expect([response.status, errorOf(response).code]).toEqual([404, 'NOT_FOUND']);
      expect(response.headers['tus-resumable']).toBe('1.0.0');
    }
  });
});

describe('FRG-08 FRG-09: PATCH /encrypt/{upload_id} with a wrong request', () => {
  it('FRG-08 TRAP 51: answers another offset with 400 and the right one', async () => {
    const opened = await open(10);
    const response = await sendChunk(url, opened.location, 5, Buffer.from('bytes'));
    expect(response.status).toBe(400);
    expect(errorOf(response)).toMatchObject({ code: 'VALIDATION_ERROR', details: { upload_offset: 0 } });
    await expectNothingKept(opened);
  });

  it.each(['', '-0', '+0', '0.0', '0x0', '0, 0', '1e0'])(
    'FRG-08: refuses Upload-Offset "%s" with 400',
    async (offset) => {
      const opened = await open(5);
      const response = await sendChunk(url, opened.location, 0, Buffer.from('bytes'), {
        'Upload-Offset': offset,
      });
      expect(response.status).toBe(400);
      expect(errorOf(response).details).toMatchObject({ fields: [{ field: 'Upload-Offset' }] });
      await expectNothingKept(opened);
    },
  );

  it.each(['application/octet-stream', 'application/offset+octet-stream; charset=utf-8', ''])(
    'FRG-09: refuses Content-Type "%s" with 400',
    async (type) => {
      const opened = await open(5);
      const response = await sendChunk(url, opened.location, 0, Buffer.from('bytes'), {
        'Content-Type': type,
      });
      expect(response.status).toBe(400);
      const { error } = JSON.parse(response.body.toString()) as {
        error: { details: { fields: { field: string }[] } };
      };
      expect(error.details.fields.map(({ field }) => field)).toEqual(['Content-Type']);
      await expectNothingKept(opened);
    },
  );

  it('FRG-09: accepts the content type in any case, but only once and without Content-Encoding', async () => {
    const { location } = await open(5);
    const send = (headers: Record<string, string | string[]>) => {
      const { outgoing, response } = startChunk(url, location, 0, { 'Content-Length': '5', ...headers });
      outgoing.end('bytes');
      return response;
    };
    const type = 'application/offset+octet-stream';
    expect((await send({ 'Content-Type': [type, 'text/plain'] })).status).toBe(400);
    expect((await send({ 'Content-Encoding': 'gzip' })).status).toBe(400);
    const accepted = { 'Content-Type': 'Application/Offset+Octet-Stream', 'Content-Encoding': 'Identity' };
    expect((await send(accepted)).status).toBe(204);
  });

  it('FRG-08 OPEN-14: answers another version of the protocol with 412', async () => {
    const opened = await open(5);
    const response = await sendChunk(url, opened.location, 0, Buffer.from('bytes'), {
      'Tus-Resumable': '0.2.2',
    });
    expect([response.status, response.headers['tus-version']]).toEqual([412, '1.0.0']);
    await expectNothingKept(opened);
  });

  it.each([
    ['with Content-Length', {}],
    ['chunked', { 'Transfer-Encoding': 'chunked' }],
  ])('FRG-11 FRG-12 TRAP 52: refuses a body of a wrong length with 400 (%s)', async (_, headers) => {
    const opened = await open(100);
    for (const bytes of [0, 50, 99, 101, 200, 300_000]) {
      const response = await sendChunk(url, opened.location, 0, Buffer.alloc(bytes), headers);
      expect([bytes, response.status]).toEqual([bytes, 400]);
    }
    const short = await sendChunk(url, opened.location, 0, Buffer.alloc(50), headers);
    expect(errorOf(short).details).toMatchObject({ fields: [{ field: 'Content-Length' }] });
    await expectNothingKept(opened);
    expect((await sendChunk(url, opened.location, 0, Buffer.alloc(100), headers)).status).toBe(204);
    expect(await objectsOf(opened)).toHaveLength(1);
  });

  it('FRG-12: refuses bytes after the last one', async () => {
    const opened = await open(5);
    await sendChunk(url, opened.location, 0, Buffer.from('bytes'));
    for (const framing of framings)
      expect((await sendChunk(url, opened.location, 5, Buffer.from('more'), framing)).status).toBe(400);
    await expectNothingKept(opened, 5, 1);
  });

  it('FRG-39: answers an empty chunk at the end of a complete upload with 204, and elsewhere with 400', async () => {
    const opened = await open(5);
    const empty = (offset: number, headers = {}) =>
      sendChunk(url, opened.location, offset, Buffer.alloc(0), headers);
    for (const offset of [0, 5]) expect((await empty(offset)).status).toBe(400);
    await sendChunk(url, opened.location, 0, Buffer.from('bytes'));
    for (const framing of framings) {
      const { status, headers } = await empty(5, framing);
      expect([status, headers['upload-offset']]).toEqual([204, '5']);
    }
    for (const offset of [0, 4, 6]) expect((await empty(offset)).status).toBe(400);
    await expectNothingKept(opened, 5, 1);
    await tus(url, 'DELETE', opened.location); // does nothing any more (FRG-17)
    expect((await empty(5)).status).toBe(204);
  });

  it('sends 100-continue only when the chunk is accepted', async () => {
    const { location } = await open(5);
    const expecting = { Expect: '100-continue', 'Content-Length': '5' };
    const refused = startChunk(url, location, 3, expecting);
    let isContinued = false;
    refused.outgoing.on('continue', () => (isContinued = true)).flushHeaders();
    expect([(await refused.response).status, isContinued]).toEqual([400, false]);
    refused.outgoing.destroy();
    const accepted = startChunk(url, location, 0, expecting);
    accepted.outgoing.on('continue', () => accepted.outgoing.end('bytes')).flushHeaders();
    expect((await accepted.response).status).toBe(204);
  });
});

describe('FRG-11 FRG-12 FRG-34: a file of more than one chunk', () => {
  it('is uploaded in chunks of 52,428,800 bytes but for the last, to any instance, and resumes after a disconnect', async () => {
    const content = randomBytes(CHUNK_BYTES + 1);
    const opened = await open(content.length);
    const { location, transfer } = opened;
    const first = content.subarray(0, CHUNK_BYTES);
    for (const wrong of [first.subarray(0, 100), first.subarray(1), content]) {
      expect((await sendChunk(url, location, 0, wrong)).status).toBe(400);
      const counted = await sendChunk(url, location, 0, wrong, { 'Transfer-Encoding': 'chunked' });
      expect(counted.status).toBe(400);
    }
    const broken = startChunk(url, location, 0, { 'Content-Length': String(CHUNK_BYTES) });
    broken.outgoing.write(first.subarray(0, 20_000_000), () => broken.outgoing.destroy());
    await expect(broken.response).rejects.toThrow();
    await expectNothingKept(opened);

    expect((await sendChunk(url, location, 0, first)).headers['upload-offset']).toBe('52428800');
    expect(await offsetOf(location)).toBe('52428800');
    for (const wrong of [Buffer.alloc(0), Buffer.alloc(2)]) {
      expect((await sendChunk(url, location, CHUNK_BYTES, wrong)).status).toBe(400);
    }
    await expectNothingKept(opened, CHUNK_BYTES, 1);
    const last = await sendChunk(other, location, CHUNK_BYTES, content.subarray(CHUNK_BYTES));
    expect([last.status, last.headers['upload-offset']]).toEqual([204, '52428801']);
    expect(await objectsOf(opened)).toHaveLength(2);
    expect((await storedContent(service, transfer, content.length)).equals(content)).toBe(true);
  });

  it('ends with a full chunk when its size is a multiple of the chunk size', async () => {
    const content = randomBytes(CHUNK_BYTES);
    const transfer = await mintTransfer(harness, { sizeBytes: content.length });
    await upload(url, transfer.istk, content);
    expect((await storedContent(service, transfer, content.length)).equals(content)).toBe(true);
  });
});

describe('FRG-34: a failure in the middle of a chunk', () => {
  it('of the connection keeps nothing, and the client may send other bytes later', async () => {
    const opened = await open(100_000);
    for (const [name, value] of [
      ['Content-Length', '100000'],
      ['Transfer-Encoding', 'chunked'],
    ] as const) {
      const broken = startChunk(url, opened.location, 0, { [name]: value });
      broken.outgoing.write(Buffer.alloc(60_000));
      await until(async () => (await receiving()) === 1);
      broken.outgoing.destroy();
      await until(async () => (await receiving()) === 0);
    }
    await expectNothingKept(opened);
    const content = randomBytes(100_000);
    expect((await sendChunk(url, opened.location, 0, content)).status).toBe(204);
    expect((await storedContent(service, opened.transfer, 100_000)).equals(content)).toBe(true);
    expect(await objectsOf(opened)).toHaveLength(1);
  });

  it('of the object store is 500, and the chunk may be retried', async () => {
    const opened = await open(10);
    await rename(harness.objectsDir, `${harness.objectsDir}.away`);
    const response = await sendChunk(url, opened.location, 0, Buffer.alloc(10));
    await rename(`${harness.objectsDir}.away`, harness.objectsDir);
    expect([response.status, errorOf(response).code]).toEqual([500, 'INTERNAL_ERROR']);
    await expectNothingKept(opened);
    expect((await sendChunk(url, opened.location, 0, Buffer.alloc(10))).status).toBe(204);
  });

  it('of PostgreSQL is 500 without acknowledgement, and the chunk may be retried', async () => {
    const opened = await open(10);
    const lock = statement('test.lock-upload', 'SELECT 1 FROM uploads WHERE version_id = $1 FOR UPDATE');
    await service.context.get(Database).transaction(async (tx) => {
      await tx.query(lock, [opened.transfer.versionId]);
      expect((await sendChunk(url, opened.location, 0, Buffer.alloc(10))).status).toBe(500);
    });
    expect(await offsetOf(opened.location)).toBe('0');
    expect((await sendChunk(url, opened.location, 0, Buffer.alloc(10))).status).toBe(204);
  });

  it('of the key, when the row was moved to another vault, is 500 and keeps nothing', async () => {
    const opened = await open(10);
    await rowsOf(service, 'UPDATE uploads SET vault_id = $2 WHERE version_id = $1', [
      opened.transfer.versionId,
      'vlt_other',
    ]);
    expect((await sendChunk(url, opened.location, 0, Buffer.alloc(10))).status).toBe(500);
    await expectNothingKept(opened);
  });
});

describe('FRG-35: the stored object', () => {
  it('is sealed, while it is received and afterwards', async () => {
    const marker = 'attack at dawn, ';
    const content = Buffer.alloc(2_000_000, marker);
    const opened = await open(content.length);
    const chunk = startChunk(url, opened.location, 0, { 'Content-Length': String(content.length) });
    chunk.outgoing.write(content.subarray(0, 1_500_000));
    const folder = join(harness.objectsDir, 'v1', opened.transfer.versionId);
    const written = async () => {
      const names = await readdir(folder).catch(() => []);
      return Buffer.concat(await Promise.all(names.map((name) => readFile(join(folder, name)))));
    };
    const half = await eventually(written, (bytes) => bytes.length > 1_000_000);
    expect(half.includes(marker)).toBe(false);
    chunk.outgoing.end(content.subarray(1_500_000));
    expect((await chunk.response).status).toBe(204);
    const whole = await written();
    expect(whole.length).toBe(2_000_000 + 31 * 16);
    expect(whole.includes(marker)).toBe(false);
  });
});
