import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { until } from '@vaultsvc/testing/waiting';
import { injectStackFaults } from './stack-faults.js';

/** The only service of the stack. The test sets whether it is ready. */
const server = createServer((_, response) => {
  probes += 1;
  response.writeHead(isReady ? 200 : 503).end();
});
let isReady = false;
let probes = 0;
let url: string;
let service: ChildProcess;
const start = () => (service = spawn('sleep', ['1000']));
const stack = {
  descriptor: () => ({
    services: { forge: { pid: service.pid ?? null, private_url: url } },
    infrastructure: {},
  }),
};
/** Waits for several readiness probes, within which a kill that is too early would happen. */
const waitForProbes = async () => {
  const before = probes;
  await until(async () => probes > before + 3);
};

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => void service.kill('SIGKILL'));
afterAll(() => void server.close());

it('kills a process only after all are ready and work has progressed, and ends when all are ready', async () => {
  const kills: Record<string, number> = {};
  const stop = new AbortController();
  let done = 0;
  start();
  const settings = { stack, victims: ['forge'], kills, progress: () => done, pauseMsMax: 1 } as const;
  const ended = injectStackFaults({ ...settings, signal: stop.signal });
  await waitForProbes();
  expect(kills).toEqual({});

  isReady = true;
  await once(service, 'exit');
  start();
  await waitForProbes();
  expect(kills).toEqual({ forge: 1 });
  done += 1;
  await once(service, 'exit');
  isReady = false;
  start();
  done += 1;
  stop.abort();
  await waitForProbes();
  expect(await Promise.race([ended, Promise.resolve('not yet')])).toBe('not yet');
  isReady = true;
  await ended;
  expect(kills).toEqual({ forge: 2 });
});
