import { createHook } from 'node:async_hooks';
import { lookup, Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { accountContext } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { startPlatform, type Platform } from '../testing/platform.js';
import { visitsTo, type Visits } from '../testing/visits.js';
import { WEB_RISK_KEY, WebRiskServer } from '../testing/web-risk-server.js';
import { UrlSafety } from './url-safety.js';
import { threatTypes } from './web-risk-api.js';

/** A destination that records connections, and a recorder of every name that this process resolves. */
let canary: Server;
let port: number;
let visitors = 0;
let lookups = 0;
const ear = createHook({
  init: (_, type) => {
    if (type === 'GETADDRINFOREQWRAP' || type === 'QUERYWRAP') lookups += 1;
  },
});

let dir: string;
let webRisk: WebRiskServer;
let platform: Platform;
let visits: Visits;
const caller = accountContext();

beforeAll(async () => {
  canary = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  canary.on('connection', () => (visitors += 1));
  await once(canary, 'listening');
  port = (canary.address() as AddressInfo).port;
  dir = await mkdtemp(join(tmpdir(), 'vaultsvc-canary-'));
  await writeFile(join(dir, 'list'), 'listed.example\n');
  webRisk = await WebRiskServer.start();
  for (const type of threatTypes)
    webRisk.publish(
      type,
      webRisk.know(`${type.toLowerCase()}.example/`, type),
      webRisk.know('doubtful.example/', type),
    );
  platform = await startPlatform({
    URL_BLOCKLIST_FILE: join(dir, 'list'),
    WEB_RISK_API_KEY: WEB_RISK_KEY,
    WEB_RISK_URL: webRisk.origin,
  });
  visits = visitsTo(platform.harness);
  const safety = platform.service.context.get(UrlSafety);
  await until(async () => (await safety.check('http://fine.example/')) === undefined); // Until the lists are loaded.
  ear.enable();
});
afterAll(async () => {
  ear.disable();
  await platform.harness.stop();
  await webRisk.stop();
  canary.close();
  await rm(dir, { recursive: true });
});
beforeEach(() => {
  visitors = 0;
  lookups = 0;
});

async function opened(url: string) {
  const made = await platform.create({ payload: url, content_type: 'text/uri-list' }, caller);
  return visits.open(made.link_code as string);
}

describe('LNK-12 LNK-13 OPEN-26: the visitor gets the destination of a link, and the service never contacts it', () => {
  it('a control: the canary detects a request and a lookup', async () => {
    await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    expect(visitors).toBe(1);
    await lookup('localhost');
    const nobody = new Resolver({ timeout: 50, tries: 1 });
    nobody.setServers(['127.0.0.1:9']);
    await nobody.resolve4('name.example').catch(() => undefined);
    expect(lookups).toBe(2);
  });

  it.each([
    ['http://fine.example/a?b#c', { type: 'redirect' }],
    ['http://listed.example/', { type: 'warning', reason: 'listed' }],
    ['https://www.LISTED.example:8443/x', { type: 'warning', reason: 'listed' }],
    ['http://malware.example/x', { type: 'warning', reason: 'malware' }],
    ['http://social_engineering.example/', { type: 'warning', reason: 'social_engineering' }],
    ['http://unwanted_software.example/', { type: 'warning', reason: 'unwanted_software' }],
    ['http://169.254.169.254/latest/meta-data/', { type: 'warning', reason: 'private_address' }],
  ])('%s', async (url, shown) => {
    expect(await opened(url)).toEqual({ ...shown, url });
    expect(lookups).toBe(0);
  });

  it.each(['127.0.0.1', 'localhost', '0x7f.1', '[::ffff:127.0.0.1]'])(
    'a listening server at %s',
    async (host) => {
      const url = `http://${host}:${port}/secret`;
      expect(await opened(url)).toEqual({ type: 'warning', reason: 'private_address', url });
      expect({ visitors, lookups }).toEqual({ visitors: 0, lookups: 0 });
    },
  );

  it('an unchecked destination is returned with a warning, and the link is consumed', async () => {
    webRisk.mode = { status: 503 };
    const url = 'http://doubtful.example/';
    expect(await opened(url)).toEqual({ type: 'warning', reason: 'unchecked', url });
    const [spark] = (await platform.list({ limit: '1' }, caller)).sparks;
    expect(spark).toMatchObject({ status: 'ash' });
  });
});
