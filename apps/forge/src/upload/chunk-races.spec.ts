import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CHUNK_BYTES } from '@vaultsvc/crypto/container';
import type { RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import type { RawResponse } from '@vaultsvc/testing/http';
import { until } from '@vaultsvc/testing/waiting';
import { forge } from '../service-definition.js';
import { startChunk, receiving } from '../testing/streamed-chunk.js';
import { objectKeysOf, storedContent } from '../testing/stored-file.js';
import { errorOf, forgeUrl, mintUpload, type NewUpload, sendChunk, tus } from '../testing/uploads.js';
import { uploadSecretOf, type Upload } from './upload.js';
import { UploadRepository } from './upload.repository.js';

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
let service: RunningService;
let otherService: RunningService; // on the same store
let url: string;
let other: string;
beforeAll(async () => {
  [service, otherService] = [await harness.start(forge), await harness.start(forge)];
  [url, other] = [forgeUrl(service), forgeUrl(otherService)];
});

const open = (bytes: number) => mintUpload(harness, url, bytes);
const objectsOf = ({ transfer }: NewUpload) => objectKeysOf(service, transfer.versionId);
const statuses = (responses: readonly RawResponse[]) => responses.map(({ status }) => status);

/** Blocks the next requests of an instance before they read the row of their upload. */
function blockReads({ context }: RunningService, count: number) {
  const uploads = context.get(UploadRepository);
  const find = uploads.find.bind(uploads);
  let unblock = () => {};
  const blocked = new Promise<void>((resolve) => (unblock = resolve));
  const spy = jest.spyOn(uploads, 'find');
  for (let i = 0; i < count; i += 1) spy.mockImplementationOnce((lookup) => blocked.then(() => find(lookup)));
  return { areBlocked: () => until(async () => spy.mock.calls.length === count), unblock };
}

describe('FRG-13 AMB-26: concurrent chunks', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('get 409 if sent before the commit of the winner, however late they read the row, and 400 for a wrong offset or afterwards', async () => {
    const { location } = await open(5);
    const { areBlocked, unblock } = blockReads(service, 2);
    const late = [0, 3].map((offset) => sendChunk(url, location, offset, Buffer.from('later')));
    await areBlocked();
    expect((await sendChunk(url, location, 0, Buffer.from('bytes'))).status).toBe(204);
    unblock();
    expect(statuses(await Promise.all(late))).toEqual([409, 400]);
    expect((await sendChunk(url, location, 0, Buffer.from('later'))).status).toBe(400);
  });

  it('are stored once if two instances commit the same chunk of several', async () => {
    const { location } = await open(10);
    const uploads = service.context.get(UploadRepository);
    const { lookup } = uploadSecretOf(location.slice(location.lastIndexOf('/') + 1));
    const upload = (await uploads.find(lookup)) as Upload;
    const commit = (objectKey: string) => {
      const [salt, commitment, mac] = [randomBytes(32), randomBytes(32), randomBytes(32)];
      const row = { chunk: 0, bytes: 5, salt, commitment, mac };
      const hashes = { chunkHash: randomBytes(129), contentHash: null };
      return uploads.commit(upload, { row, objectKey, ...hashes }, 'test');
    };
    expect([await commit('first'), await commit('second')]).toEqual(['stored', 'conflict']);
  });

  it('get 409 at another instance if they read the offset before the commit of the winner, and 400 with the offset afterwards', async () => {
    const opened = await open(5);
    const { location } = opened;
    const early = startChunk(other, location, 0, { 'Content-Length': '5' });
    early.outgoing.write('ear');
    await until(async () => (await receiving()) === 1);
    const { areBlocked, unblock } = blockReads(otherService, 1);
    const late = sendChunk(other, location, 0, Buffer.from('later'));
    await areBlocked();
    expect((await sendChunk(url, location, 0, Buffer.from('bytes'))).status).toBe(204);
    unblock();
    expect([(await late).status, errorOf(await late).details]).toEqual([
      400,
      expect.objectContaining({ upload_offset: 5 }),
    ]);
    early.outgoing.end('ly');
    expect((await early.response).status).toBe(409);
    expect(await objectsOf(opened)).toHaveLength(1);
    expect((await storedContent(service, opened.transfer, 5)).toString()).toBe('bytes');
  });

  it('MISC-08: are committed once: of 20 received at one offset one is stored, and 19 get 409', async () => {
    const opened = await open(70_000);
    const bodies = Array.from({ length: 20 }, () => randomBytes(70_000));
    const requests = bodies.map((body, index) => {
      const started = startChunk(index % 2 ? url : other, opened.location, 0, { 'Content-Length': '70000' });
      started.outgoing.write(body.subarray(0, 35_000));
      return started;
    });
    await until(async () => (await receiving()) === 20);
    requests.forEach(({ outgoing }, index) => outgoing.end((bodies[index] as Buffer).subarray(35_000)));
    const responses = await Promise.all(requests.map(({ response }) => response));
    const winner = statuses(responses).indexOf(204);
    expect(statuses(responses).filter((status) => status === 409)).toHaveLength(19);
    expect(errorOf(responses.find(({ status }) => status === 409) as RawResponse).code).toBe('CONFLICT');
    expect(await objectsOf(opened)).toHaveLength(1);
    const stored = await storedContent(service, opened.transfer, 70_000);
    expect(stored.equals(bodies[winner] as Buffer)).toBe(true);
  });

  it('are committed once at a chunk before the last: of two received by two instances one gets 409, and the offset moves once', async () => {
    const size = CHUNK_BYTES + 5;
    const opened = await open(size);
    const bodies = [Buffer.alloc(CHUNK_BYTES, 'a'), Buffer.alloc(CHUNK_BYTES, 'b')];
    const requests = bodies.map((body, index) => {
      const headers = { 'Content-Length': String(CHUNK_BYTES) };
      const started = startChunk(index ? other : url, opened.location, 0, headers);
      started.outgoing.write(body.subarray(0, 1_000));
      return started;
    });
    await until(async () => (await receiving()) === 2); // both have read the offset 0
    requests.forEach(({ outgoing }, index) => outgoing.end((bodies[index] as Buffer).subarray(1_000)));
    const seen = statuses(await Promise.all(requests.map(({ response }) => response)));
    expect(seen.toSorted()).toEqual([204, 409]);
    const { headers } = await tus(url, 'HEAD', opened.location);
    expect(headers['upload-offset']).toBe(String(CHUNK_BYTES));
    expect((await sendChunk(url, opened.location, CHUNK_BYTES, Buffer.from('bytes'))).status).toBe(204);
    expect(await objectsOf(opened)).toHaveLength(2);
    const stored = await storedContent(service, opened.transfer, size);
    const content = Buffer.concat([bodies[seen.indexOf(204)] as Buffer, Buffer.from('bytes')]);
    expect(stored.equals(content)).toBe(true);
  });

  it('are committed once without synchronization: of 20 one is stored, the others get 409 or, after the commit, 400', async () => {
    const opened = await open(1_000);
    const bodies = Array.from({ length: 20 }, () => randomBytes(1_000));
    const responses = await Promise.all(
      bodies.map((body, index) => sendChunk(index % 2 ? url : other, opened.location, 0, body)),
    );
    const seen = statuses(responses);
    expect(seen.filter((status) => status === 204)).toHaveLength(1);
    expect(seen.filter((status) => status === 400 || status === 409)).toHaveLength(19);
    expect(await objectsOf(opened)).toHaveLength(1);
    const stored = await storedContent(service, opened.transfer, 1_000);
    expect(stored.equals(bodies[seen.indexOf(204)] as Buffer)).toBe(true);
  });

  it('get 404 when the upload is cancelled meanwhile, and their objects are deleted', async () => {
    const opened = await open(10);
    const chunk = startChunk(url, opened.location, 0, { 'Content-Length': '10' });
    chunk.outgoing.write('12345');
    await until(async () => (await receiving()) === 1);
    expect((await tus(url, 'DELETE', opened.location)).status).toBe(204);
    chunk.outgoing.end('67890');
    expect((await chunk.response).status).toBe(404);
    expect(await objectsOf(opened)).toEqual([]);
  });
});
