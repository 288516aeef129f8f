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
  other = forgeUrl(await harness.start(forge)); // a second copy on the same store
});

const open = (bytes: number) => mintUpload(harness, url, bytes);
const offsetOf = async (location: string) => (await tus(url, 'HEAD', location)).headers['upload-offset'];
const objectsOf = ({ transfer }: NewUpload) => objectKeysOf(service, transfer.versionId);

/** Nothing of a chunk was kept: the offset stands where it was, and no object and no draft is there. */
async function expectNothingKept(opened: NewUpload, offset = 0, objects = 0): Promise<void> {
  expect(await offsetOf(opened.location)).toBe(String(offset));
  const files = () => readdir(join(harness.objectsDir, 'v1', opened.transfer.versionId)).catch(() => []);
  await eventually(files, (names) => names.length === objects);
}

describe('PATCH /encrypt/{upload_id} takes a chunk', () => {
  it('FRG-10 FRG-32: 204 with the new offset, and no ISTK; the last one finishes the upload and tells of it', async () => {
    const { transfer, location } = await open(5);
    const answer = await sendChunk(url, location, 0, Buffer.from('bytes'));
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({ 'upload-offset': '5', 'tus-resumable': '1.0.0' });
    const { versionId, accountId, vaultId, ingotId } = transfer;
    const [row] = await rowsOf(
      service,
      'SELECT status, wrapped_key, sweep_at > now() AS is_swept_later FROM uploads WHERE version_id = $1',
      [versionId],
    );
    expect(row).toEqual({ status: 'finalized', wrapped_key: null, is_swept_later: true });
    const told = await outboxEvents(
      service,
      { version_id: versionId },
      { name: 'forge.upload-finalized', columns: ['account_id', 'request_id', 'payload'] },
    );
    expect(told).toEqual([
      {
        account_id: accountId,
        request_id: answer.headers['x-request-id'],
        payload: {
          account_id: accountId,
          vault_id: vaultId,
          ingot_id: ingotId,
          version_id: versionId,
          size_bytes: 5,
        },
      },
    ]);
  });

  it.each([1, 65_536, 65_537, 1_000_000])('ING-41: %i bytes are stored as they were sent', async (bytes) => {
    const transfer = await mintTransfer(harness, { sizeBytes: bytes });
    const content = randomBytes(bytes);
    await upload(url, transfer.istk, content);
    expect((await storedContent(service, transfer, bytes)).equals(content)).toBe(true);
  });

  it('a chunk without a declared length is counted', async () => {
    const { location } = await open(5);
    const chunked = { 'Transfer-Encoding': 'chunked' };
    expect((await sendChunk(url, location, 0, Buffer.from('bytes'), chunked)).status).toBe(204);
  });

  it('FRG-33 OPEN-55: an unknown upload and a malformed id are 404', async () => {
    for (const id of ['A'.repeat(43), 'A'.repeat(42), 'x', '..%2f', '%00']) {
      const answer = await sendChunk(url, `/encrypt/${id}`, 0, Buffer.from('bytes'));
      expect([answer.status, errorOf(answer).code]).toEqual([404, 'NOT_FOUND']);
      expect(answer.headers['tus-resumable']).toBe('1.0.0');
    }
  });
});

describe('FRG-08 FRG-09: what is not the next chunk is refused, and the offset stays where it was', () => {
  it('FRG-08 TRAP 51: another offset is 400 and tells the right one', async () => {
    const opened = await open(10);
    const answer = await sendChunk(url, opened.location, 5, Buffer.from('bytes'));
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toMatchObject({ code: 'VALIDATION_ERROR', details: { upload_offset: 0 } });
    await expectNothingKept(opened);
  });

  it.each(['', '-0', '+0', '0.0', '0x0', '0, 0', '1e0'])(
    'FRG-08: Upload-Offset "%s" is 400',
    async (offset) => {
      const opened = await open(5);
      const answer = await sendChunk(url, opened.location, 0, Buffer.from('bytes'), {
        'Upload-Offset': offset,
      });
      expect(answer.status).toBe(400);
      await expectNothingKept(opened);
    },
  );

  it.each(['application/octet-stream', 'application/offset+octet-stream; charset=utf-8', ''])(
    'FRG-09: Content-Type "%s" is 400',
    async (type) => {
      const opened = await open(5);
      const answer = await sendChunk(url, opened.location, 0, Buffer.from('bytes'), { 'Content-Type': type });
      expect(answer.status).toBe(400);
      await expectNothingKept(opened);
    },
  );

  it('FRG-09: the type is the same in any case, and is given once; bytes that are encoded are no chunk', async () => {
    const { location } = await open(5);
    const send = (headers: Record<string, string | string[]>) => {
      const { outgoing, answer } = startChunk(url, location, 0, { 'Content-Length': '5', ...headers });
      outgoing.end('bytes');
      return answer;
    };
    const type = 'application/offset+octet-stream';
    expect((await send({ 'Content-Type': [type, 'text/plain'] })).status).toBe(400);
    expect((await send({ 'Content-Encoding': 'gzip' })).status).toBe(400);
    const accepted = { 'Content-Type': 'Application/Offset+Octet-Stream', 'Content-Encoding': 'Identity' };
    expect((await send(accepted)).status).toBe(204);
  });

  it('FRG-08 OPEN-14: another version of the protocol is 412', async () => {
    const opened = await open(5);
    const answer = await sendChunk(url, opened.location, 0, Buffer.from('bytes'), {
      'Tus-Resumable': '0.2.2',
    });
    expect([answer.status, answer.headers['tus-version']]).toEqual([412, '1.0.0']);
    await expectNothingKept(opened);
  });

  it.each([
    ['declared', {}],
    ['counted', { 'Transfer-Encoding': 'chunked' }],
  ])('FRG-11 FRG-12 TRAP 52: too few and too many bytes are 400 (%s)', async (_, headers) => {
    const opened = await open(100);
    for (const bytes of [0, 50, 99, 101, 200, 300_000]) {
      const answer = await sendChunk(url, opened.location, 0, Buffer.alloc(bytes), headers);
      expect([bytes, answer.status]).toEqual([bytes, 400]);
    }
    await expectNothingKept(opened);
    expect((await sendChunk(url, opened.location, 0, Buffer.alloc(100), headers)).status).toBe(204);
    expect(await objectsOf(opened)).toHaveLength(1);
  });

  it('FRG-12: nothing is taken after the last byte', async () => {
    const opened = await open(5);
    await sendChunk(url, opened.location, 0, Buffer.from('bytes'));
    for (const bytes of [Buffer.alloc(0), Buffer.from('more')]) {
      expect((await sendChunk(url, opened.location, 5, bytes)).status).toBe(400);
    }
    await expectNothingKept(opened, 5, 1);
  });

  it('the bytes are asked for only once they are wanted (100-continue)', async () => {
    const { location } = await open(5);
    const expecting = { Expect: '100-continue', 'Content-Length': '5' };
    const refused = startChunk(url, location, 3, expecting);
    let invited = false;
    refused.outgoing.on('continue', () => (invited = true)).flushHeaders();
    expect([(await refused.answer).status, invited]).toEqual([400, false]);
    refused.outgoing.destroy();
    const accepted = startChunk(url, location, 0, expecting);
    accepted.outgoing.on('continue', () => accepted.outgoing.end('bytes')).flushHeaders();
    expect((await accepted.answer).status).toBe(204);
  });
});

describe('FRG-11 FRG-12 FRG-34: files of more than one chunk', () => {
  it('every chunk but the last is 52,428,800 bytes; copies of the service take turns; what breaks is resumed', async () => {
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
    await expect(broken.answer).rejects.toThrow();
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

  it('a whole number of chunks ends with a whole chunk', async () => {
    const content = randomBytes(CHUNK_BYTES);
    const transfer = await mintTransfer(harness, { sizeBytes: content.length });
    await upload(url, transfer.istk, content);
    expect((await storedContent(service, transfer, content.length)).equals(content)).toBe(true);
  });
});

describe('FRG-34: failures in the middle of a chunk', () => {
  it('a caller who goes away leaves nothing, and goes on later with other bytes', async () => {
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

  it('an object store that is away is 500, and the chunk may be sent again', async () => {
    const opened = await open(10);
    await rename(harness.objectsDir, `${harness.objectsDir}.away`);
    const answer = await sendChunk(url, opened.location, 0, Buffer.alloc(10)).finally(() =>
      rename(`${harness.objectsDir}.away`, harness.objectsDir),
    );
    expect([answer.status, errorOf(answer).code]).toEqual([500, 'INTERNAL_ERROR']);
    await expectNothingKept(opened);
    expect((await sendChunk(url, opened.location, 0, Buffer.alloc(10))).status).toBe(204);
  });

  it('a chunk that PostgreSQL does not count is 500 and not acknowledged, and may be sent again', async () => {
    const opened = await open(10);
    const hold = statement('test.hold-upload', 'SELECT 1 FROM uploads WHERE version_id = $1 FOR UPDATE');
    await service.context.get(Database).transaction(async (tx) => {
      await tx.query(hold, [opened.transfer.versionId]);
      expect((await sendChunk(url, opened.location, 0, Buffer.alloc(10))).status).toBe(500);
    });
    expect(await offsetOf(opened.location)).toBe('0');
    expect((await sendChunk(url, opened.location, 0, Buffer.alloc(10))).status).toBe(204);
  });

  it('a row that was moved to another vault opens nothing: 500, and no byte is asked for', async () => {
    const opened = await open(10);
    await rowsOf(service, 'UPDATE uploads SET vault_id = $2 WHERE version_id = $1', [
      opened.transfer.versionId,
      'vlt_other',
    ]);
    expect((await sendChunk(url, opened.location, 0, Buffer.alloc(10))).status).toBe(500);
    await expectNothingKept(opened);
  });
});

describe('FRG-35: what lies on the disk', () => {
  it('is sealed: whole chunks, and also one that is just being received', async () => {
    const marker = 'attack at dawn, ';
    const content = Buffer.alloc(400_000, marker);
    const opened = await open(content.length);
    const chunk = startChunk(url, opened.location, 0, { 'Content-Length': String(content.length) });
    chunk.outgoing.write(content.subarray(0, 300_000));
    const folder = join(harness.objectsDir, 'v1', opened.transfer.versionId);
    const written = async () => {
      const names = await readdir(folder).catch(() => []);
      return Buffer.concat(await Promise.all(names.map((name) => readFile(join(folder, name)))));
    };
    const half = await eventually(written, (bytes) => bytes.length > 200_000);
    expect(half.includes(marker)).toBe(false);
    chunk.outgoing.end(content.subarray(300_000));
    expect((await chunk.answer).status).toBe(204);
    const whole = await written();
    expect(whole.length).toBe(400_000 + 7 * 16);
    expect(whole.includes(marker)).toBe(false);
  });
});
