import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { type RawResponse, send } from '@vaultsvc/testing/http';
import { until } from '@vaultsvc/testing/waiting';
import { register } from 'prom-client';
import { forge } from '../service-definition.js';
import { mintTransfer } from '../testing/transfers.js';
import { forgeUrl, newUpload, sendChunk, tus } from '../testing/uploads.js';

const harness = useHarness({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_IP_PER_MINUTE: '100000' });
let url: string;
beforeAll(async () => {
  url = forgeUrl(await harness.start(forge));
});
afterEach(() => void jest.restoreAllMocks());

async function open(): Promise<string> {
  return newUpload(url, (await mintTransfer(harness, { sizeBytes: 5 })).istk, 5);
}

const naming = (method: string) => ({ 'X-HTTP-Method-Override': method });
const chunkHeaders = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
const post = (target: string, method: string, headers = {}, body?: Buffer) =>
  tus(url, 'POST', target, { ...naming(method), ...headers }, body);
const patchByPost = (target: string, bytes: string, headers = {}) =>
  post(target, 'PATCH', { ...chunkHeaders, ...headers }, Buffer.from(bytes));
const offsetOf = async (location: string) => (await tus(url, 'HEAD', location)).headers['upload-offset'];
const fieldsOf = ({ body }: RawResponse) =>
  (JSON.parse(body.toString()) as { error: { details: { fields: { field: string }[] } } }).error.details
    .fields;

describe('tus 1.0.0, a POST with X-HTTP-Method-Override', () => {
  it('PATCH appends a chunk, with the checks of PATCH', async () => {
    const location = await open();
    expect((await patchByPost(location, 'byte')).status).toBe(400);
    expect((await patchByPost(location, 'bytes', { 'Upload-Offset': '1' })).status).toBe(400);
    expect((await patchByPost(location, 'bytes', { 'Tus-Resumable': '0.2.2' })).status).toBe(412);
    const response = await patchByPost(location, 'bytes');
    expect([response.status, response.headers['upload-offset']]).toEqual([204, '5']);
  });

  it('DELETE cancels the upload', async () => {
    const location = await open();
    expect((await post(location, 'DELETE')).status).toBe(204);
    expect((await tus(url, 'HEAD', location)).status).toBe(404);
  });

  it('HEAD is answered without a body, and the connection stays usable', async () => {
    const location = await open();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sendHead = async (version: string) => {
      const headers = { ...naming('HEAD'), 'Tus-Resumable': version };
      const outgoing = request(url + location, { method: 'POST', agent, headers }).end();
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      const body = await text(response);
      return [response.statusCode, body, response.headers['upload-offset'], outgoing.reusedSocket];
    };
    expect(await sendHead('1.0.0')).toEqual([200, '', '0', false]);
    expect(await sendHead('0.2.2')).toEqual([412, '', undefined, true]);
    expect(await sendHead('1.0.0')).toEqual([200, '', '0', true]);
    agent.destroy();
  });

  it('POST is handled as POST', async () => {
    const { istk } = await mintTransfer(harness, { sizeBytes: 5 });
    expect((await post(`/encrypt?istk=${istk}`, 'POST', { 'Upload-Length': '5' })).status).toBe(201);
  });

  it.each(['GET', 'OPTIONS', 'PUT', 'patch', 'CHUNK', 'PATCH, PATCH', 'PATCH, DELETE', ''])(
    '"%s" is refused with 400 and changes nothing',
    async (method) => {
      const location = await open();
      const response = await patchByPost(location, 'bytes', naming(method));
      expect([response.status, fieldsOf(response)]).toEqual([
        400,
        [expect.objectContaining({ field: 'X-HTTP-Method-Override' })],
      ]);
      expect(response.headers['tus-resumable']).toBe('1.0.0');
      expect(await offsetOf(location)).toBe('0');
    },
  );

  it('is the only method with an override: other methods ignore the header', async () => {
    const location = await open();
    expect((await tus(url, 'HEAD', location, naming('DELETE'))).status).toBe(200);
    expect((await tus(url, 'GET', location, naming('DELETE'))).status).toBe(404);
    const chunk = await sendChunk(url, location, 0, Buffer.from('bytes'), naming('DELETE'));
    expect([chunk.status, await offsetOf(location)]).toEqual([204, '5']);
  });

  it('is not overridden outside uploads', async () => {
    for (const target of ['/decrypt', '/progress', '/health'])
      expect((await post(target, 'HEAD')).status).toBe(404);
  });

  it('MISC-03: appears in log and metrics with the overriding method, and in the log also with the sent one', async () => {
    const lines = jest.spyOn(Logger.prototype, 'log');
    const { headers } = await patchByPost(await open(), 'bytes');
    const own = () =>
      lines.mock.calls
        .map(([line]) => line as Record<string, unknown>)
        .find(({ requestId }) => requestId === headers['x-request-id']);
    await until(async () => own() !== undefined);
    expect(own()).toMatchObject({ method: 'PATCH', sentMethod: 'POST', route: '/encrypt/:uploadId' });
    const figures = await register.getSingleMetricAsString('vaultsvc_transfer_duration_seconds');
    expect(figures).toContain('count{method="PATCH",route="/encrypt/:uploadId",status="204"}');
  });
});

it('OPEN-54: a preflight response allows X-HTTP-Method-Override', async () => {
  const headers = { Origin: 'http://127.0.0.1:8082', 'Access-Control-Request-Method': 'POST' };
  const preflight = await send(url, { method: 'OPTIONS', target: '/encrypt/x', headers });
  expect(preflight.headers['access-control-allow-headers']).toContain('X-HTTP-Method-Override');
});
