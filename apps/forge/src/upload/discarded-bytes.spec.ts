import { rename } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { outboxEvents } from '@vaultsvc/testing/harness';
import { eventually, until } from '@vaultsvc/testing/waiting';
import { forge } from '../service-definition.js';
import { receiving, startChunk } from '../testing/streamed-chunk.js';
import { forgeUrl, mintUpload, type NewUpload, sendChunk, tus } from '../testing/uploads.js';

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
const service = useService(harness, forge);
let url: string;
beforeAll(() => void (url = forgeUrl(service)));

const SIZE = 100_000;
const open = () => mintUpload(harness, url, SIZE);

/** The bytes of the events of an upload, oldest first. */
async function discarded({ transfer }: NewUpload): Promise<number[]> {
  const events = await outboxEvents(
    service,
    { version_id: transfer.versionId },
    { name: 'forge.bytes-discarded', columns: ['account_id', 'payload'] },
  );
  expect(events.every(({ account_id: accountId }) => accountId === transfer.accountId)).toBe(true);
  return events.map(({ payload }) => (payload as { bytes: number }).bytes);
}
const discards = (upload: NewUpload, count = 1) =>
  eventually(
    () => discarded(upload),
    ({ length }) => length === count,
  );

/** A chunk that is being received. */
async function start({ location }: NewUpload, headers: Record<string, string>, bytes: number) {
  const chunk = startChunk(url, location, 0, headers);
  chunk.outgoing.write(Buffer.alloc(bytes));
  await until(async () => (await receiving()) > 0);
  return chunk;
}
const LENGTH = { 'Content-Length': String(SIZE) };
const CHUNKED = { 'Transfer-Encoding': 'chunked' };

describe('FRG-16: the received bytes of a chunk that is not stored', () => {
  it('are published when it loses a race, once for each loser; those of the winner are not', async () => {
    const upload = await open();
    const chunks = [];
    for (let i = 0; i < 3; i += 1) chunks.push(await start(upload, LENGTH, 1_000));
    await until(async () => (await receiving()) === 3);
    for (const { outgoing } of chunks) outgoing.end(Buffer.alloc(SIZE - 1_000));
    const statuses = (await Promise.all(chunks.map(({ response }) => response))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, 409, 409]);
    expect(await discards(upload, 2)).toEqual([SIZE, SIZE]);
  });

  it('are published when its upload is cancelled meanwhile', async () => {
    const upload = await open();
    const chunk = await start(upload, LENGTH, 1_000);
    expect((await tus(url, 'DELETE', upload.location)).status).toBe(204);
    chunk.outgoing.end(Buffer.alloc(SIZE - 1_000));
    expect((await chunk.response).status).toBe(404);
    expect(await discards(upload)).toEqual([SIZE]);
  });

  it('are published when the client disconnects', async () => {
    const upload = await open();
    const chunk = await start(upload, LENGTH, 60_000);
    await until(async () => chunk.outgoing.socket?.writableLength === 0);
    chunk.outgoing.destroy();
    const [bytes = 0] = await discards(upload);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(60_000);
  });

  it('are published when it is too short or too long', async () => {
    for (const bytes of [SIZE - 1, SIZE + 1]) {
      const upload = await open();
      const chunk = startChunk(url, upload.location, 0, CHUNKED);
      chunk.outgoing.end(Buffer.alloc(bytes));
      expect((await chunk.response).status).toBe(400);
      expect(await discards(upload)).toEqual([bytes]);
    }
  });

  it('are not published when it is refused before its body, or the object store fails', async () => {
    const upload = await open();
    expect((await sendChunk(url, upload.location, 5, Buffer.alloc(10))).status).toBe(400);
    expect((await sendChunk(url, upload.location, 0, Buffer.alloc(10))).status).toBe(400);
    await rename(harness.objectsDir, `${harness.objectsDir}.away`);
    const failed = await sendChunk(url, upload.location, 0, Buffer.alloc(SIZE));
    await rename(`${harness.objectsDir}.away`, harness.objectsDir);
    expect(failed.status).toBe(500);
    expect((await sendChunk(url, upload.location, 0, Buffer.alloc(SIZE))).status).toBe(204);
    expect(await discarded(upload)).toEqual([]);
  });
});
