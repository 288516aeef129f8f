import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  currentScope,
  isTracing,
  runInScope,
  startSpan,
  startSpanUnder,
  startTracing,
  traceRequest,
} from './index.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const strangers = (flags: string) => `00-${traceId}-00f067aa0ba902b7-${flags}`;

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
  readonly status: { code?: number };
}

let collector: Server;
let requests: { headers: Record<string, unknown>; body: string }[];
beforeEach(async () => {
  requests = [];
  collector = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      requests.push({ headers: request.headers, body });
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  collector.closeAllConnections();
  collector.close();
});

const start = (ratio: number) =>
  startTracing({
    service: 'test',
    version: '1.2.3',
    endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`,
    authorization: 'Bearer of-the-collector',
    ratio,
  });

const spans = () =>
  requests.flatMap(({ body }) =>
    (
      JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[] }
    ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );

describe('While traces are off', () => {
  it('nothing is traced, whatever a caller sends', () => {
    expect(isTracing()).toBe(false);
    expect(traceRequest(strangers('01'))).toBeUndefined();
    expect(startSpan('client', 'x')).toBeUndefined();
    expect(startSpanUnder(strangers('01'), 'server', 'x')).toBeUndefined();
  });
});

describe('The trace of a request from outside', () => {
  it('is recorded at our ratio: neither the flag nor the trace id of a stranger forces it', async () => {
    const end = await start(0);
    const request = traceRequest(strangers('01'));
    expect(request?.span).toBeUndefined();
    expect(request?.trace).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    expect(
      runInScope({ requestId: 'req_1', trace: request?.trace }, () => startSpan('client', 'x')),
    ).toBeUndefined();
    await end();
    expect(spans()).toEqual([]);
  });

  it("continues a stranger's, also one that the stranger does not record", async () => {
    const end = await start(1);
    const request = traceRequest(strangers('00'));
    request?.span?.name('sparks.create', { 'http.route': '/v1/sparks' });
    request?.span?.end();
    await end();
    expect(spans()).toMatchObject([{ traceId, parentSpanId: '00f067aa0ba902b7', name: 'sparks.create' }]);
    expect(request?.trace).toBe(`00-${traceId}-${spans()[0]?.spanId}-01`);
  });

  it('has an id of its own without a valid one', async () => {
    const end = await start(1);
    const ids = [undefined, 'nonsense', ['a', 'b']].map((sent) => traceRequest(sent)?.trace.slice(3, 35));
    await end();
    expect(new Set(ids).size).toBe(3);
  });
});

describe('A span', () => {
  it('is below the running one, and of an error has the class alone', async () => {
    const end = await start(1);
    const request = traceRequest(undefined);
    runInScope({ requestId: 'req_1', trace: request?.trace }, () => {
      expect(currentScope()?.requestId).toBe('req_1');
      startSpan('client', 'sparks.insert')?.end(new RangeError('canary: a value'));
    });
    request?.span?.end();
    await end();
    const [sql, root] = spans();
    expect(sql).toMatchObject({ name: 'sparks.insert', traceId: root?.traceId, parentSpanId: root?.spanId });
    expect(sql?.attributes).toContainEqual({ key: 'error.type', value: { stringValue: 'RangeError' } });
    expect(JSON.stringify(requests)).not.toContain('canary');
  });

  it('goes to the collector with version and credential of the service', async () => {
    const end = await start(1);
    traceRequest(undefined)?.span?.end();
    await end();
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer of-the-collector' });
    expect(requests[0]?.body).toContain('{"key":"service.version","value":{"stringValue":"1.2.3"}}');
  });

  it('delays no shutdown when the collector is down', async () => {
    const end = await start(1);
    traceRequest(undefined)?.span?.end();
    await new Promise((resolve) => collector.close(resolve));
    const began = performance.now();
    await end();
    expect(performance.now() - began).toBeLessThan(5_000); // 2 s by the bound
    expect(isTracing()).toBe(false);
  });
});
