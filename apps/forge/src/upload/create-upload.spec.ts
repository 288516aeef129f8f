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

const mint = (options?: TransferOptions) => mintTransfer(harness, options);
const post = (headers: Record<string, string>, target = '/encrypt', body?: Buffer) =>
  send(url, { method: 'POST', target, headers, body });

/** Status, code and the details of the refusal itself. */
const refusal = (response: RawResponse) => {
  const { code, details } = errorOf(response);
  const { reason: _reason, docs: _docs, ...own } = details ?? {};
  return [response.status, code, own];
};
const faultOf = (code: string) => [401, 'AUTHENTICATION_ERROR', { code }];

/** Expects that an ISTK is unused, by using it. */
async function expectUnused({ istk, sizeBytes }: MintedTransfer): Promise<void> {
  expect((await openUpload(url, istk, sizeBytes)).status).toBe(201);
}

describe('POST /encrypt', () => {
  it('FRG-07 TRAP 62: answers 201 with the headers of the upload and a Location without the ISTK', async () => {
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

  it('FRG-03 FRG-06 AMB-27: requires an ISTK in the query or in X-ISTK, and accepts no API credentials', async () => {
    const { istk } = await mint();
    const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '1000' };
    const keyed = await post({ ...headers, 'X-API-Key': `vk_live_${'0'.repeat(49)}` });
    expect(refusal(keyed)).toEqual([401, 'AUTHENTICATION_ERROR', {}]);
    expect((await post({ ...headers, 'X-ISTK': istk })).status).toBe(201);
  });

  it('AMB-27: prefers the query to the header, even when it is invalid', async () => {
    const good = await mint();
    const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '1000' };
    for (const query of ['istk=bad', 'istk=', `istk=${good.istk}&istk=${good.istk}`]) {
      const response = await post({ ...headers, 'X-ISTK': good.istk }, `/encrypt?${query}`);
      expect(refusal(response)).toEqual(faultOf('ISTK_INVALID'));
    }
    expect((await post({ ...headers, 'X-ISTK': 'bad' }, `/encrypt?istk=${good.istk}`)).status).toBe(201);
  });

  it('FRG-05: creates an upload of fewer bytes than the cap of the ISTK', async () => {
    const { istk } = await mint({ bytesMax: 5_497_558_138_880, sizeBytes: 5_497_558_138_880 });
    const { headers } = await openUpload(url, istk, 7);
    expect(headers['upload-length']).toBe('7');
  });

  it('wraps the file key under the upload id instead of the ISTK, and stores neither', async () => {
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

  it('ignores the headers that tus-js-client and Uppy add', async () => {
    const { istk } = await mint();
    const added = { 'Upload-Metadata': 'filename ZmlsZQ==,filetype dGV4dA==', 'X-Request-ID': 'x' };
    expect((await openUpload(url, istk, 10, added)).status).toBe(201);
  });
});

describe('FRG-04 FRG-05 AMB-13 AMB-54 TRAP 53: a refused POST /encrypt leaves the ISTK unused and', () => {
  it.each([undefined, '0.2.2', '1.0.1', '1.0.0, 1.0.0'])(
    'FRG-04 OPEN-14: answers Tus-Resumable %s with 412 and the supported version, before any other check',
    async (version) => {
      const transfer = await mint();
      const headers: Record<string, string> = version === undefined ? {} : { 'Tus-Resumable': version };
      const response = await post({ ...headers, 'Upload-Length': 'x' }, `/encrypt?istk=${transfer.istk}`);
      expect(refusal(response)).toEqual([412, 'PRECONDITION_FAILED', {}]);
      expect(response.headers).toMatchObject({ 'tus-version': '1.0.0', 'tus-resumable': '1.0.0' });
      await expectUnused(transfer);
    },
  );

  it.each(['', '-1', '+1', '0', '1.5', '1e3', '0x10', '1, 1', '5497558138881', '9'.repeat(30), ' '])(
    'FRG-05: answers Upload-Length "%s" with 400, also without an ISTK',
    async (length) => {
      const transfer = await mint();
      const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': length };
      for (const target of ['/encrypt', `/encrypt?istk=${transfer.istk}`]) {
        const response = await post(headers, target);
        expect(response.status).toBe(400);
        expect(errorOf(response).details).toMatchObject({ fields: [{ field: 'Upload-Length' }] });
      }
      await expectUnused(transfer);
    },
  );

  it('FRG-05: answers a missing Upload-Length, Upload-Defer-Length and Upload-Concat with 400', async () => {
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

  it('FRG-05: answers a length above the cap with 400, but an invalid ISTK with 401 first', async () => {
    const transfer = await mint({ sizeBytes: 100 });
    expect((await openUpload(url, transfer.istk, 101)).status).toBe(400);
    expect(refusal(await openUpload(url, 'A'.repeat(43), 101))).toEqual(faultOf('ISTK_INVALID'));
    await expectUnused(transfer);
  });

  it.each<Record<string, string>>([{ 'Content-Length': '5' }, { 'Transfer-Encoding': 'chunked' }])(
    'answers a body with 400, because its bytes would be lost (%p)',
    async (framing) => {
      const transfer = await mint();
      const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '1000', ...framing };
      const response = await post(headers, `/encrypt?istk=${transfer.istk}`, Buffer.from('bytes'));
      expect(refusal(response)).toEqual([
        400,
        'VALIDATION_ERROR',
        { fields: [{ field: 'body', message: 'must be empty' }] },
      ]);
      await expectUnused(transfer);
    },
  );

  it('does not apply to an empty chunked body', async () => {
    const { istk } = await mint();
    const chunked = await openUpload(url, istk, 10, { 'Transfer-Encoding': 'chunked' });
    expect(chunked.status).toBe(201);
  });

  it('does not apply to an empty body after 100-continue', async () => {
    const { istk } = await mint();
    const headers = {
      ...{ 'Tus-Resumable': '1.0.0', 'Upload-Length': '10' },
      ...{ 'Transfer-Encoding': 'chunked', Expect: '100-continue' },
    };
    const outgoing = request(`${url}/encrypt?istk=${istk}`, { method: 'POST', headers });
    outgoing.on('continue', () => outgoing.end()).flushHeaders();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(response.resume().statusCode).toBe(201);
  });
});

describe('the ISTK of an upload', () => {
  it('FRG-06 FRG-25 MISC-08 TRAP 56: creates one upload by 50 concurrent POSTs to two instances; 49 get ISTK_USED', async () => {
    const other = forgeUrl(await harness.start(forge));
    const { istk, versionId } = await mint();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) => openUpload(i % 2 ? other : url, istk, 1_000)),
    );
    const opened = responses.filter(({ status }) => status === 201);
    const refused = responses.filter(({ status }) => status !== 201);
    expect(opened).toHaveLength(1);
    expect(refused.map(refusal)).toEqual(Array.from({ length: 49 }, () => faultOf('ISTK_USED')));
    const rows = await rowsOf(service, 'SELECT lookup FROM uploads WHERE version_id = $1', [versionId]);
    expect(rows).toHaveLength(1);
  });

  it('FRG-26: gives ISTK_EXPIRED after its end', async () => {
    const { istk } = await mint({ ttlSeconds: -1 });
    expect(refusal(await openUpload(url, istk, 10))).toEqual(faultOf('ISTK_EXPIRED'));
  });

  it('FRG-36: must not be one for a download, which stays unused', async () => {
    const download = await mintDownload(harness, await mint());
    expect(refusal(await openUpload(url, download.istk, 10))).toEqual(faultOf('ISTK_INVALID'));
    const [row] = await rowsOf(service, 'SELECT used_at FROM istks WHERE lookup = $1', [download.lookup]);
    expect(row).toEqual({ used_at: null });
  });

  it('gives 500 and stays unused when the terms in its row were changed', async () => {
    const { istk, lookup } = await mint({ sizeBytes: 100 });
    await rowsOf(service, 'UPDATE istks SET bytes_max = 1000 WHERE lookup = $1', [lookup]);
    expect((await openUpload(url, istk, 1_000)).status).toBe(500);
    const [row] = await rowsOf(service, 'SELECT used_at FROM istks WHERE lookup = $1', [lookup]);
    expect(row).toEqual({ used_at: null });
  });
});

describe('HEAD /encrypt', () => {
  it('FRG-24 AMB-42: answers 200 with or without an ISTK, which stays unused', async () => {
    const transfer = await mint();
    for (const target of ['/encrypt', '/encrypt?istk=bad', `/encrypt?istk=${transfer.istk}`]) {
      const { status, headers } = await send(url, { method: 'HEAD', target });
      expect([status, headers['tus-resumable']]).toEqual([200, '1.0.0']);
      expect(headers).not.toHaveProperty('upload-length');
    }
    await expectUnused(transfer);
  });
});
