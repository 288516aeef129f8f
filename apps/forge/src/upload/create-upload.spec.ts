import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { unwrapFileKey } from '@vaultsvc/crypto/container';
import { lookupHash, parseBearer } from '@vaultsvc/crypto/tokens';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { rowsOf } from '@vaultsvc/testing/harness';
import { send, type RawResponse } from '@vaultsvc/testing/http';
import { forge } from '../service-definition.js';
import {
  mintDownload,
  mintTransfer,
  type MintedTransfer,
  type TransferOptions,
} from '../testing/transfers.js';
import { errorOf, forgeUrl, newUpload, openUpload, tus } from '../testing/uploads.js';

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
const service = useService(harness, forge);
let url: string;
beforeAll(async () => {
  url = forgeUrl(service);
});

const mint = (wish?: TransferOptions) => mintTransfer(harness, wish);
const post = (headers: Record<string, string>, target = '/encrypt', body?: Buffer) =>
  send(url, { method: 'POST', target, headers, body });

const refusal = (answer: RawResponse) => [answer.status, errorOf(answer).code, errorOf(answer).details];
const faultOf = (code: string) => [401, 'AUTHENTICATION_ERROR', { code }];

/** An ISTK that is refused nothing now was not consumed before. */
async function expectUnused({ istk, sizeBytes }: MintedTransfer): Promise<void> {
  expect((await openUpload(url, istk, sizeBytes)).status).toBe(201);
}

describe('POST /encrypt opens an upload', () => {
  it('FRG-07 TRAP 62: 201 with the headers of an upload, and a Location without the ISTK', async () => {
    const { istk } = await mint({ sizeBytes: 12 });
    const { status, headers, body } = await openUpload(url, istk, 12);
    expect(status).toBe(201);
    expect(headers).toMatchObject({
      'upload-offset': '0',
      'upload-length': '12',
      'tus-resumable': '1.0.0',
      'x-chunk-size': '52428800',
      'content-length': '0',
    });
    expect(headers.location).toMatch(/^\/encrypt\/[A-Za-z0-9_-]{43}$/);
    expect(body).toHaveLength(0);
  });

  it('FRG-03 FRG-06 AMB-27: an ISTK in the query or in X-ISTK; API credentials are none', async () => {
    const { istk } = await mint();
    const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '1000' };
    const keyed = await post({ ...headers, 'X-API-Key': `vk_live_${'0'.repeat(49)}` });
    expect(refusal(keyed)).toEqual([401, 'AUTHENTICATION_ERROR', undefined]);
    expect((await post({ ...headers, 'X-ISTK': istk })).status).toBe(201);
  });

  it('AMB-27: the query wins over the header, also when it is bad', async () => {
    const good = await mint();
    const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '1000' };
    for (const query of ['istk=bad', 'istk=', `istk=${good.istk}&istk=${good.istk}`]) {
      const answer = await post({ ...headers, 'X-ISTK': good.istk }, `/encrypt?${query}`);
      expect(refusal(answer)).toEqual(faultOf('ISTK_INVALID'));
    }
    expect((await post({ ...headers, 'X-ISTK': 'bad' }, `/encrypt?istk=${good.istk}`)).status).toBe(201);
  });

  it('FRG-05: fewer bytes than the ISTK is good for are an upload of that length', async () => {
    const { istk } = await mint({ bytesMax: 5_497_558_138_880, sizeBytes: 5_497_558_138_880 });
    const { headers } = await openUpload(url, istk, 7);
    expect(headers['upload-length']).toBe('7');
  });

  it('the key changes hands from the ISTK to the id of the upload; the store holds neither', async () => {
    const transfer = await mint();
    const location = await newUpload(url, transfer.istk, 900);
    const secret = parseBearer(location.slice('/encrypt/'.length)) as Buffer;
    const [istk] = await rowsOf(service, 'SELECT wrapped_key, used_at FROM istks WHERE lookup = $1', [
      transfer.lookup,
    ]);
    expect(istk).toEqual({ wrapped_key: null, used_at: expect.any(Date) });
    const [row] = await rowsOf<{ wrapped_key: Buffer }>(
      service,
      'SELECT wrapped_key, size_bytes, offset_bytes, status FROM uploads WHERE lookup = $1',
      [lookupHash('upload', secret)],
    );
    expect(row).toMatchObject({ size_bytes: 900, offset_bytes: 0, status: 'open' });
    const opened = unwrapFileKey(secret, transfer, { holder: 'upload' }, row!.wrapped_key);
    expect(opened).toEqual(transfer.fileKey);
  });

  it('what tus-js-client and Uppy add is ignored', async () => {
    const { istk } = await mint();
    const added = { 'Upload-Metadata': 'filename ZmlsZQ==,filetype dGV4dA==', 'X-Request-ID': 'x' };
    expect((await openUpload(url, istk, 10, added)).status).toBe(201);
  });
});

describe('FRG-04 FRG-05 AMB-13 AMB-54 TRAP 53: what is refused has consumed nothing', () => {
  it.each([undefined, '0.2.2', '1.0.1', '1.0.0, 1.0.0'])(
    'FRG-04 OPEN-14: Tus-Resumable %s is 412 with the version that is spoken, before anything else',
    async (version) => {
      const transfer = await mint();
      const headers: Record<string, string> = version === undefined ? {} : { 'Tus-Resumable': version };
      const answer = await post({ ...headers, 'Upload-Length': 'x' }, `/encrypt?istk=${transfer.istk}`);
      expect(refusal(answer)).toEqual([412, 'PRECONDITION_FAILED', undefined]);
      expect(answer.headers).toMatchObject({ 'tus-version': '1.0.0', 'tus-resumable': '1.0.0' });
      await expectUnused(transfer);
    },
  );

  it.each(['', '-1', '+1', '0', '1.5', '1e3', '0x10', '1, 1', '5497558138881', '9'.repeat(30), ' '])(
    'FRG-05: Upload-Length "%s" is 400, also without an ISTK',
    async (length) => {
      const transfer = await mint();
      const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': length };
      for (const target of ['/encrypt', `/encrypt?istk=${transfer.istk}`]) {
        expect((await post(headers, target)).status).toBe(400);
      }
      await expectUnused(transfer);
    },
  );

  it('FRG-05: a missing Upload-Length is 400; so are a length that comes later, and parts of an upload', async () => {
    const transfer = await mint();
    const target = `/encrypt?istk=${transfer.istk}`;
    expect((await tus(url, 'POST', target)).status).toBe(400);
    const both = { 'Upload-Length': '1000', 'Upload-Defer-Length': '1' };
    expect((await tus(url, 'POST', target, both)).status).toBe(400);
    expect(
      (await tus(url, 'POST', target, { 'Upload-Length': '9', 'Upload-Concat': 'partial' })).status,
    ).toBe(400);
    await expectUnused(transfer);
  });

  it('FRG-05: a byte over the cap is 400, and with the ISTK of somebody else 401 comes first', async () => {
    const transfer = await mint({ sizeBytes: 100 });
    expect((await openUpload(url, transfer.istk, 101)).status).toBe(400);
    expect(refusal(await openUpload(url, 'A'.repeat(43), 101))).toEqual(faultOf('ISTK_INVALID'));
    await expectUnused(transfer);
  });

  it.each<Record<string, string>>([{ 'Content-Length': '5' }, { 'Transfer-Encoding': 'chunked' }])(
    'bytes that come with the POST would be lost, so they are refused (%p)',
    async (framing) => {
      const transfer = await mint();
      const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '1000', ...framing };
      const answer = await post(headers, `/encrypt?istk=${transfer.istk}`, Buffer.from('bytes'));
      expect(refusal(answer)).toEqual([
        400,
        'VALIDATION_ERROR',
        { fields: [{ field: 'body', message: 'must be empty' }] },
      ]);
      await expectUnused(transfer);
    },
  );

  it('a body that is empty in chunks is no body', async () => {
    const { istk } = await mint();
    const chunked = await openUpload(url, istk, 10, { 'Transfer-Encoding': 'chunked' });
    expect(chunked.status).toBe(201);
  });

  it('who waits to be invited is invited, and may then send nothing (100-continue)', async () => {
    const { istk } = await mint();
    const headers = {
      ...{ 'Tus-Resumable': '1.0.0', 'Upload-Length': '10' },
      ...{ 'Transfer-Encoding': 'chunked', Expect: '100-continue' },
    };
    const outgoing = request(`${url}/encrypt?istk=${istk}`, { method: 'POST', headers });
    outgoing.on('continue', () => outgoing.end()).flushHeaders();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(201);
  });
});

describe('single use', () => {
  it('FRG-06 FRG-25 TRAP 56: of 50 POSTs at once with one ISTK one opens an upload, 49 hear ISTK_USED', async () => {
    const { istk, versionId } = await mint();
    const answers = await Promise.all(Array.from({ length: 50 }, () => openUpload(url, istk, 1_000)));
    const opened = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(opened).toHaveLength(1);
    expect(refused.map(refusal)).toEqual(Array.from({ length: 49 }, () => faultOf('ISTK_USED')));
    const rows = await rowsOf(service, 'SELECT lookup FROM uploads WHERE version_id = $1', [versionId]);
    expect(rows).toHaveLength(1);
  });

  it('FRG-26: after its end it is ISTK_EXPIRED', async () => {
    const { istk } = await mint({ ttlSeconds: -1 });
    expect(refusal(await openUpload(url, istk, 10))).toEqual(faultOf('ISTK_EXPIRED'));
  });

  it('FRG-36: one for a download opens no upload and stays good for its download', async () => {
    const download = await mintDownload(harness, await mint());
    expect(refusal(await openUpload(url, download.istk, 10))).toEqual(faultOf('ISTK_INVALID'));
    const [row] = await rowsOf(service, 'SELECT used_at FROM istks WHERE lookup = $1', [download.lookup]);
    expect(row).toEqual({ used_at: null });
  });

  it('a row whose terms were changed in the store opens nothing: 500, and nothing is consumed', async () => {
    const { istk, lookup } = await mint({ sizeBytes: 100 });
    await rowsOf(service, 'UPDATE istks SET bytes_max = 1000 WHERE lookup = $1', [lookup]);
    expect((await openUpload(url, istk, 1_000)).status).toBe(500);
    const [row] = await rowsOf(service, 'SELECT used_at FROM istks WHERE lookup = $1', [lookup]);
    expect(row).toEqual({ used_at: null });
  });
});

describe('HEAD /encrypt', () => {
  it('FRG-24 AMB-42: is 200 with or without an ISTK, says nothing and consumes nothing', async () => {
    const transfer = await mint();
    for (const target of ['/encrypt', '/encrypt?istk=bad', `/encrypt?istk=${transfer.istk}`]) {
      const { status, headers } = await send(url, { method: 'HEAD', target });
      expect([status, headers['tus-resumable']]).toEqual([200, '1.0.0']);
      expect(headers).not.toHaveProperty('upload-length');
    }
    await expectUnused(transfer);
  });
});
