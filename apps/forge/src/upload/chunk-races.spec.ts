import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import type { RawResponse } from '@vaultsvc/testing/http';
import { until } from '@vaultsvc/testing/waiting';
import { forge } from '../service-definition.js';
import { startChunk, receiving } from '../testing/streamed-chunk.js';
import { objectKeysOf, storedContent } from '../testing/stored-file.js';
import { errorOf, forgeUrl, mintUpload, type NewUpload, sendChunk, tus } from '../testing/uploads.js';
import { UploadRepository } from './upload.repository.js';

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
let service: RunningService;
let copy: RunningService; // on the same store
let url: string;
let other: string;
beforeAll(async () => {
  [service, copy] = [await harness.start(forge), await harness.start(forge)];
  [url, other] = [forgeUrl(service), forgeUrl(copy)];
});

const open = (bytes: number) => mintUpload(harness, url, bytes);
const objectsOf = ({ transfer }: NewUpload) => objectKeysOf(service, transfer.versionId);
const statuses = (answers: readonly RawResponse[]) => answers.map(({ status }) => status);

/** The next requests of a copy wait before they read the row of their upload. */
function holdLooks({ context }: RunningService, count: number) {
  const uploads = context.get(UploadRepository);
  const find = uploads.find.bind(uploads);
  let look = () => {};
  const held = new Promise<void>((resolve) => (look = resolve));
  const spy = jest.spyOn(uploads, 'find');
  for (let i = 0; i < count; i += 1) spy.mockImplementationOnce((lookup) => held.then(() => find(lookup)));
  return { looked: () => until(async () => spy.mock.calls.length === count), look };
}

describe('FRG-13 AMB-26: races', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('who came before the winner was counted is 409, however late it looks at the row; who was wrong or comes later is 400', async () => {
    const { location } = await open(5);
    const { looked, look } = holdLooks(service, 2);
    const late = [0, 3].map((offset) => sendChunk(url, location, offset, Buffer.from('later')));
    await looked();
    expect((await sendChunk(url, location, 0, Buffer.from('bytes'))).status).toBe(204);
    look();
    expect(statuses(await Promise.all(late))).toEqual([409, 400]);
    expect((await sendChunk(url, location, 0, Buffer.from('later'))).status).toBe(400);
  });

  it('through another copy: who has read the offset before the winner was counted is 409, who reads it afterwards 400 with the right one', async () => {
    const opened = await open(5);
    const { location } = opened;
    const early = startChunk(other, location, 0, { 'Content-Length': '5' });
    early.outgoing.write('ear');
    await until(async () => (await receiving()) === 1);
    const { looked, look } = holdLooks(copy, 1);
    const late = sendChunk(other, location, 0, Buffer.from('later'));
    await looked();
    expect((await sendChunk(url, location, 0, Buffer.from('bytes'))).status).toBe(204);
    look();
    expect([(await late).status, errorOf(await late).details]).toEqual([
      400,
      expect.objectContaining({ upload_offset: 5 }),
    ]);
    early.outgoing.end('ly');
    expect((await early.answer).status).toBe(409);
    expect(await objectsOf(opened)).toHaveLength(1);
    expect((await storedContent(service, opened.transfer, 5)).toString()).toBe('bytes');
  });

  it('of 20 chunks at one offset that are all under way, one counts and 19 are 409; what is stored is the one', async () => {
    const opened = await open(70_000);
    const bodies = Array.from({ length: 20 }, () => randomBytes(70_000));
    const requests = bodies.map((body, index) => {
      const begun = startChunk(index % 2 ? url : other, opened.location, 0, { 'Content-Length': '70000' });
      begun.outgoing.write(body.subarray(0, 35_000));
      return begun;
    });
    await until(async () => (await receiving()) === 20);
    requests.forEach(({ outgoing }, index) => outgoing.end((bodies[index] as Buffer).subarray(35_000)));
    const answers = await Promise.all(requests.map(({ answer }) => answer));
    const winner = statuses(answers).indexOf(204);
    expect(statuses(answers).filter((status) => status === 409)).toHaveLength(19);
    expect(errorOf(answers.find(({ status }) => status === 409) as RawResponse).code).toBe('CONFLICT');
    expect(await objectsOf(opened)).toHaveLength(1);
    const stored = await storedContent(service, opened.transfer, 70_000);
    expect(stored.equals(bodies[winner] as Buffer)).toBe(true);
  });

  it('20 chunks at once without waiting for each other: one counts, the others are 409, or 400 when they came too late', async () => {
    const opened = await open(1_000);
    const bodies = Array.from({ length: 20 }, () => randomBytes(1_000));
    const answers = await Promise.all(
      bodies.map((body, index) => sendChunk(index % 2 ? url : other, opened.location, 0, body)),
    );
    const seen = statuses(answers);
    expect(seen.filter((status) => status === 204)).toHaveLength(1);
    expect(seen.filter((status) => status === 400 || status === 409)).toHaveLength(19);
    expect(await objectsOf(opened)).toHaveLength(1);
    const stored = await storedContent(service, opened.transfer, 1_000);
    expect(stored.equals(bodies[seen.indexOf(204)] as Buffer)).toBe(true);
  });

  it('a chunk whose upload is cancelled while it is under way is 404, and its object goes', async () => {
    const opened = await open(10);
    const chunk = startChunk(url, opened.location, 0, { 'Content-Length': '10' });
    chunk.outgoing.write('12345');
    await until(async () => (await receiving()) === 1);
    expect((await tus(url, 'DELETE', opened.location)).status).toBe(204);
    chunk.outgoing.end('67890');
    expect((await chunk.answer).status).toBe(404);
    expect(await objectsOf(opened)).toEqual([]);
  });
});
