import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig, Secret } from '@vaultsvc/config';
import { wireSettings } from '@vaultsvc/testing/wire';
import { SparksConfig } from '../config.js';
import { WEB_RISK_KEY, WebRiskServer, type WebRiskMode } from '../testing/web-risk-server.js';
import { UrlSafety } from './url-safety.js';
import { threatTypes } from './web-risk-api.js';
import { WebRisk } from './web-risk.js';

let server: WebRiskServer;
let webRisk: WebRisk;
const check = (url: string) => new UrlSafety(undefined, webRisk).check(url);

beforeEach(async () => {
  server = await WebRiskServer.start();
  for (const type of threatTypes) server.publish(type);
  webRisk = new WebRisk({ origin: server.origin, apiKey: new Secret(WEB_RISK_KEY) });
});
afterEach(async () => {
  webRisk.close();
  await server.stop();
});

describe('LNK-13 OPEN-26: a check with Web Risk', () => {
  it.each([
    ['MALWARE', 'malware'],
    ['SOCIAL_ENGINEERING', 'social_engineering'],
    ['UNWANTED_SOFTWARE', 'unwanted_software'],
  ] as const)('reports a URL on %s as %s', async (type, reason) => {
    server.publish(type, server.know('evil.example/bad/', type));
    await webRisk.update();
    expect(await check('https://www.evil.example/bad/page?x=1#y')).toBe(reason);
    expect(await check('https://www.evil.example/good')).toBeUndefined();
  });

  it('reports the worst of several reasons', async () => {
    server.publish('UNWANTED_SOFTWARE', server.know('evil.example/', 'UNWANTED_SOFTWARE'));
    server.publish('MALWARE', server.know('evil.example/', 'MALWARE'));
    await webRisk.update();
    expect(await check('http://evil.example/')).toBe('malware');
  });

  it('treats a hash that shares only its prefix with a listed one as harmless, and caches that', async () => {
    const [prefix] = [server.know('good.example/', 'MALWARE')];
    const other = await WebRiskServer.start();
    for (const type of threatTypes) other.publish(type, prefix);
    const otherWebRisk = new WebRisk({ origin: other.origin, apiKey: new Secret(WEB_RISK_KEY) });
    await otherWebRisk.update();
    const sources = new UrlSafety(undefined, otherWebRisk);
    for (const times of [1, 1]) {
      expect(await sources.check('http://good.example/')).toBeUndefined();
      expect(other.requestsTo('search')).toHaveLength(times);
    }
    await other.stop();
  });

  it('sends only hash prefixes that are on a list, and nothing about other destinations', async () => {
    const prefix = server.know('evil.example/', 'MALWARE', 6);
    server.publish('MALWARE', prefix);
    await webRisk.update();
    await check('http://harmless.example/secret-path?secret=query');
    expect(server.requestsTo('search')).toHaveLength(0);
    await check('http://evil.example/secret-path?secret=query');
    const [request] = server.requestsTo('search');
    expect(request?.query.get('hashPrefix')).toBe(Buffer.from(prefix, 'hex').toString('base64'));
    expect(request?.query.getAll('threatTypes')).toEqual(threatTypes);
    expect(server.requests.every(({ key }) => key === WEB_RISK_KEY)).toBe(true);
    expect(server.requests.map(({ path, query }) => `${path}?${query.toString()}`).join()).not.toMatch(
      /secret|web-risk-key/,
    );
  });

  it('caches an answer as long as Web Risk allows, a negative one too', async () => {
    const prefix = server.know('evil.example/', 'MALWARE');
    server.publish('MALWARE', prefix);
    await webRisk.update();
    for (let times = 0; times < 5; times += 1) expect(await check('http://evil.example/')).toBe('malware');
    expect(server.requestsTo('search')).toHaveLength(1);
    server.ttlSeconds = -1;
    server.publish('SOCIAL_ENGINEERING', server.know('bad.example/', 'SOCIAL_ENGINEERING'));
    await webRisk.update();
    for (let times = 0; times < 3; times += 1)
      expect(await check('http://bad.example/')).toBe('social_engineering');
    expect(server.requestsTo('search')).toHaveLength(4);
  });

  it('asks again once a negative answer has expired', async () => {
    const prefix = server.know('evil.example/', 'MALWARE');
    server.publish('MALWARE', prefix);
    server.forget('evil.example/');
    await webRisk.update();
    server.ttlSeconds = -1;
    for (const times of [1, 2]) {
      expect(await check('http://evil.example/')).toBeUndefined();
      expect(server.requestsTo('search')).toHaveLength(times);
    }
  });
});

describe('OPEN-26: the local lists of Web Risk', () => {
  it('apply diffs with additions and removals', async () => {
    const [one, two, six] = ['one.example/', 'two.example/', 'six.example/'].map((expression, index) =>
      server.know(expression, 'MALWARE', index === 1 ? 5 : 4),
    ) as [string, string, string];
    server.publish('MALWARE', one, two);
    await webRisk.update();
    server.publish('MALWARE', two, six);
    await webRisk.update();
    expect(await check('http://one.example/')).toBeUndefined();
    expect(await check('http://two.example/')).toBe('malware');
    expect(await check('http://six.example/')).toBe('malware');
    const [first, second] = server
      .requestsTo('computeDiff')
      .filter(({ query }) => query.get('threatType') === 'MALWARE');
    expect(first?.query.has('versionToken')).toBe(false);
    expect(second?.query.get('versionToken')).toBe(Buffer.from('1').toString('base64'));
    expect(second?.query.get('constraints.supportedCompressions')).toBe('RAW');
  });

  it('are loaded again after a checksum mismatch', async () => {
    server.publish('MALWARE', server.know('one.example/', 'MALWARE'));
    await webRisk.update();
    server.publish('MALWARE', server.know('two.example/', 'MALWARE'));
    server.wrongChecksums = 1;
    await webRisk.update();
    const requests = server
      .requestsTo('computeDiff')
      .filter(({ query }) => query.get('threatType') === 'MALWARE');
    expect(requests.map(({ query }) => query.has('versionToken'))).toEqual([false, true, false]);
    expect(await check('http://one.example/')).toBeUndefined();
    expect(await check('http://two.example/')).toBe('malware');
  });

  it('keep their last version when the checksum never matches', async () => {
    server.publish('MALWARE', server.know('one.example/', 'MALWARE'));
    await webRisk.update();
    server.publish('MALWARE');
    server.wrongChecksums = 100;
    await expect(webRisk.update()).rejects.toThrow();
    expect(await check('http://one.example/')).toBe('malware');
  });

  it('are updated as often as Web Risk recommends', async () => {
    expect(await webRisk.update()).toBeUndefined();
    server.recommendedNextDiff = '2031-01-02T03:04:05.678901234Z';
    expect(await webRisk.update()).toBe(Date.parse('2031-01-02T03:04:05.678Z'));
  });
});

const broken: [string, WebRiskMode][] = [
  ['refuses', { status: 403 }],
  ['fails', { status: 503 }],
  ['redirects', { status: 302 }],
  ['answers no JSON', { body: '<html>' }],
  ['answers another thing', { body: '[]' }],
  ['answers null', { body: 'null' }],
  ['answers texts where lists are due', { body: '{"threats":"x","responseType":"RESET"}' }],
  [
    'answers half a hash',
    { body: '{"threats":[{"hash":"AAAA","threatTypes":["MALWARE"]}],"responseType":"RESET"}' },
  ],
  [
    'answers hashes of no length',
    {
      body: '{"responseType":"RESET","threats":[{}],"additions":{"rawHashes":[{"prefixSize":0,"rawHashes":"AAAA"}]}}',
    },
  ],
  ['answers too much', { body: ' '.repeat(2 * 1024 * 1024) + '{}' }],
];

describe('OPEN-26: a check without an answer is unchecked, which warns the visitor', () => {
  it('for every destination before the first list is loaded', async () => {
    expect(await check('http://any.example/')).toBe('unchecked');
    server.diffMode = { status: 500 };
    await expect(webRisk.update()).rejects.toThrow();
    expect(await check('http://any.example/')).toBe('unchecked');
    server.diffMode = undefined;
    await webRisk.update();
    expect(await check('http://any.example/')).toBeUndefined();
  });

  it.each(broken)('only for destinations with a listed prefix when Web Risk %s', async (_, mode) => {
    server.publish('MALWARE', server.know('evil.example/', 'MALWARE'));
    await webRisk.update();
    server.mode = mode;
    expect(await check('http://evil.example/')).toBe('unchecked');
    expect(await check('http://any.example/')).toBeUndefined();
    await expect(webRisk.update()).rejects.toThrow();
    expect(await check('http://any.example/')).toBeUndefined();
    expect(server.requests.every(({ path }) => path.startsWith('/v1/'))).toBe(true);
    server.mode = 'answer';
    expect(await check('http://evil.example/')).toBe('malware');
  });

  it('when Web Risk is unreachable', async () => {
    server.publish('MALWARE', server.know('evil.example/', 'MALWARE'));
    await webRisk.update();
    await server.stop();
    expect(await check('http://evil.example/')).toBe('unchecked');
    expect(await check('http://any.example/')).toBeUndefined();
    server = await WebRiskServer.start();
  });

  it('within two seconds when Web Risk does not answer', async () => {
    server.publish('MALWARE', server.know('evil.example/', 'MALWARE'));
    await webRisk.update();
    server.mode = 'silence';
    // Of two timers of one process the earlier fires first, however long the process was paused.
    expect(await Promise.race([check('http://evil.example/'), delay(2_000, 'later')])).toBe('unchecked');
  });

  it('without an error for a text that is not a URL', async () => {
    expect(await check('no url')).toBe('unchecked');
  });

  it('and closing aborts a running update', async () => {
    server.mode = 'silence';
    const updating = webRisk.update();
    webRisk.close();
    await expect(updating).rejects.toThrow();
  });
});

describe('OPEN-26 MISC-03: WEB_RISK_API_KEY', () => {
  const environment = {
    NATS_URL: 'nats://127.0.0.1',
    PROFILE: 'local',
    ...wireSettings('sparks'),
    DATABASE_URL: 'postgres://127.0.0.1/x',
    DATABASE_SCHEMA: 'x',
    KMS_REGION: 'x',
    LINK_ORIGIN: 'https://link.example',
    FILES_ORIGIN: 'https://files.example',
  };
  const load = (settings: Record<string, string>) =>
    loadConfig(SparksConfig, { ...environment, ...settings });

  it('enables Web Risk, and requires HTTPS outside of the local profile', () => {
    expect(load({}).webRisk).toBeUndefined();
    const key = { WEB_RISK_API_KEY: 'secret' };
    expect(load(key).webRisk?.origin).toBe('https://webrisk.googleapis.com');
    expect(load({ ...key, WEB_RISK_URL: 'http://127.0.0.1:1' }).webRisk).toBeDefined();
    expect(() => load({ ...key, PROFILE: 'production', WEB_RISK_URL: 'http://risk.example' })).toThrow(
      'WEB_RISK_URL must begin with https://',
    );
  });

  it('accepts only header characters and is never shown', () => {
    expect(() => load({ WEB_RISK_API_KEY: 'sec\nret' })).toThrow(/^(?!.*sec\nret).*WEB_RISK_API_KEY must/s);
    expect(JSON.stringify(load({ WEB_RISK_API_KEY: 'hunter2' }))).not.toContain('hunter2');
  });
});
