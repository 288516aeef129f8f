import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { outboxEvents } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { forge } from '../service-definition.js';
import { startChunk } from '../testing/streamed-chunk.js';
import { storedContent } from '../testing/stored-file.js';
import { errorOf, forgeUrl, mintUpload, type NewUpload, sendChunk, tus } from '../testing/uploads.js';

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
const service = useService(harness, forge);
let url: string;
beforeAll(() => void (url = forgeUrl(service)));

const content = Buffer.from('the bytes of a chunk');
const open = () => mintUpload(harness, url, content.length);
const checksum = (algorithm: string, bytes = content) =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`;
const send = ({ location }: NewUpload, header: string, headers = {}) =>
  sendChunk(url, location, 0, content, { 'Upload-Checksum': header, ...headers });

async function expectNothingKept({ location, transfer }: NewUpload): Promise<void> {
  expect((await tus(url, 'HEAD', location)).headers['upload-offset']).toBe('0');
  const files = () => readdir(join(harness.objectsDir, 'v1', transfer.versionId)).catch(() => []);
  await eventually(files, (names) => names.length === 0);
}

describe('FRG-40: PATCH with Upload-Checksum', () => {
  it.each(['sha1', 'sha256'])('stores a chunk whose %s is right', async (algorithm) => {
    const opened = await open();
    expect((await send(opened, checksum(algorithm))).status).toBe(204);
    expect(await storedContent(service, opened.transfer, content.length)).toEqual(content);
  });

  it.each([
    ['sha1', {}],
    ['sha256', {}],
    ['sha256', { 'Transfer-Encoding': 'chunked' }],
  ])(
    'refuses a chunk whose %s is wrong with 400 (%j), keeps nothing of it, and accepts it again',
    async (algorithm, framing) => {
      const opened = await open();
      const response = await send(opened, checksum(algorithm, Buffer.from('other')), framing);
      expect([response.status, errorOf(response).details?.['fields']]).toEqual([
        400,
        [expect.objectContaining({ field: 'Upload-Checksum' })],
      ]);
      await expectNothingKept(opened);
      const events = await outboxEvents(
        service,
        { version_id: opened.transfer.versionId },
        { name: 'forge.bytes-discarded', columns: ['payload'] },
      );
      expect(events).toEqual([{ payload: expect.objectContaining({ bytes: content.length }) }]);
      expect((await send(opened, checksum(algorithm), framing)).status).toBe(204);
    },
  );

  it.each([
    '',
    'sha1',
    'sha256 ',
    `md5 ${createHash('md5').update(content).digest('base64')}`,
    `SHA1 ${createHash('sha1').update(content).digest('base64')}`,
    `sha1  ${createHash('sha1').update(content).digest('base64')}`,
    `sha1 ${createHash('sha1').update(content).digest('hex')}`,
    `sha1 ${createHash('sha1').update(content).digest('base64url')}`,
    `sha1 ${createHash('sha256').update(content).digest('base64')}`,
    `${checksum('sha1')}, ${checksum('sha1')}`,
    `constructor ${createHash('sha1').update(content).digest('base64')}`,
  ])('refuses the header "%s" with 400 before the body', async (header) => {
    const opened = await open();
    const expecting = { Expect: '100-continue', 'Content-Length': String(content.length) };
    const { outgoing, response } = startChunk(url, opened.location, 0, {
      ...expecting,
      'Upload-Checksum': header,
    });
    let isContinued = false;
    outgoing.on('continue', () => (isContinued = true)).flushHeaders();
    expect([(await response).status, isContinued]).toEqual([400, false]);
    outgoing.destroy();
    await expectNothingKept(opened);
  });

  it('FRG-39: compares it with no bytes in an empty chunk at the end', async () => {
    const { location } = await open();
    await sendChunk(url, location, 0, content);
    const empty = (header: string) =>
      sendChunk(url, location, content.length, Buffer.alloc(0), { 'Upload-Checksum': header });
    expect((await empty(checksum('sha256', Buffer.alloc(0)))).status).toBe(204);
    expect((await empty(checksum('sha256'))).status).toBe(400);
  });

  it('FRG-02 TRAP 62: is not announced as an extension', async () => {
    const { headers } = await tus(url, 'OPTIONS', '/encrypt');
    expect(headers['tus-extension']).toBe('creation,termination');
    expect(headers['tus-checksum-algorithm']).toBeUndefined();
  });
});
