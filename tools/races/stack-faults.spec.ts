import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { until } from '@vaultsvc/testing/waiting';
import { unrest } from './stack-faults.js';

/** One service of a stack; whether it is ready is for the test to say. */
const server = createServer((_, response) => {
  looks += 1;
  response.writeHead(isReady ? 200 : 503).end();
});
let isReady = false;
let looks = 0;
let url: string;
let service: ChildProcess;
const start = () => (service = spawn('sleep', ['1000']));
const stack = {
  descriptor: () => ({
    services: { forge: { pid: service.pid ?? null, private_url: url } },
    infrastructure: {},
  }),
};
/** Time for a kill that is too early. */
const lookedOn = async () => {
  const before = looks;
  await until(async () => looks > before + 3);
};

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => void service.kill('SIGKILL'));
afterAll(() => void server.close());

it('kills again only once all is up again and something was done, and ends when all is up', async () => {
  const kills: Record<string, number> = {};
  const calm = new AbortController();
  let done = 0;
  start();
  const settings = { stack, victims: ['forge'], kills, progress: () => done, peaceMs: 1 } as const;
  const ended = unrest({ ...settings, signal: calm.signal });
  await lookedOn();
  expect(kills).toEqual({});

  isReady = true;
  await once(service, 'exit');
  start();
  await lookedOn();
  expect(kills).toEqual({ forge: 1 });
  done += 1;
  await once(service, 'exit');
  isReady = false;
  start();
  done += 1;
  calm.abort();
  await lookedOn();
  expect(await Promise.race([ended, Promise.resolve('not yet')])).toBe('not yet');
  isReady = true;
  await ended;
  expect(kills).toEqual({ forge: 2 });
});
