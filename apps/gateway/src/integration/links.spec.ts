import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createSpark,
  listSparks,
  openLink,
  readLink,
  shareSpark,
  type NewSpark,
} from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import { mintApiKey } from '@vaultsvc/tools-testing/accounts';
import { startPlatform, type Platform } from '@vaultsvc/tools-testing/platform';
import { linkUrlOf } from '../testing/gateway-fixture.js';
import { gateway } from '../service-definition.js';

let platform: Platform;
let key: string;
let owner: Api;
/** The link pages of a gateway behind a proxy on this machine. */
let proxiedUrl: string;
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

beforeAll(async () => {
  platform = await startPlatform();
  key = (await mintApiKey(platform.auth)).apiKey;
  owner = api(platform.url, { key });
  const settings = { HTTP_PORT: '0', LINK_PORT: '0', FILES_PORT: '0', TRUSTED_PROXIES: '127.0.0.1' };
  proxiedUrl = linkUrlOf(await platform.harness.start(gateway, settings), 'link');
});
afterAll(() => {
  agent.destroy();
  return platform.stop();
});

const create = async (body: Partial<NewSpark>) => {
  const common = { ttl_minutes: 5, content_type: 'text/plain', filename: null, with_kindling: false };
  return succeeded(await owner.call(createSpark, { body: { payload: 'a secret', ...common, ...body } }));
};
const sharedSpark = async () => {
  const { spark_id } = await create({});
  const body = { visibility: 'public' as const, invites: [] };
  return succeeded(await owner.call(shareSpark, { params: { spark_id }, body })).link_code;
};
const linkSpark = async (bound_ip?: string) => {
  const made = await create({ payload: 'https://example.com/', content_type: 'text/uri-list', bound_ip });
  return made.link_code as string;
};
const statusOf = async (link_code: string) =>
  succeeded(await owner.call(readLink, { params: { link_code } })).status;
const open = (link_code: string, headers: Record<string, string> = {}, url = platform.linkUrl) =>
  api(url).call(openLink, { params: { link_code }, body: { describe: false, confirmed: true } }, headers);

/** User agents of link previews, mail gateways and crawlers. */
const visitors = [
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slackbot 1.0 (+https://api.slack.com/robots)',
  'Twitterbot/1.0',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'WhatsApp/2.23.20.0 A',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'TelegramBot (like TwitterBot)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 SafeLinks MSOffice 16',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mimecast URL Protect',
  'curl/8.5.0',
  '',
];
const ways = [
  { method: 'GET', headers: {} },
  { method: 'HEAD', headers: {} },
  { method: 'OPTIONS', headers: {} },
  { method: 'GET', headers: { 'Sec-Purpose': 'prefetch' } },
  { method: 'GET', headers: { Purpose: 'prefetch' } },
] as const;

/** The status of one request on a keep-alive connection. */
function visit(url: string, method: string, path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ agent, hostname, port, method, path, headers }, (answer) =>
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
    )
      .on('error', reject)
      .end();
  });
}

describe('LNK-11 TRAP 14 TRAP 16: previews, scanners and prefetches', () => {
  it('leave links and Sparks unchanged after 10,000 requests, and the next POST opens', async () => {
    const codes = [...(await Promise.all([sharedSpark(), sharedSpark(), linkSpark()])), newId('c_').slice(2)];
    const before = succeeded(
      await owner.call(listSparks, { query: { limit: 100, status: 'active' } }),
    ).sparks;
    const visits = Array.from({ length: 10_000 }, (_, i) => {
      const { method, headers } = ways[i % ways.length] as (typeof ways)[number];
      const agentName = { 'User-Agent': visitors[i % visitors.length] as string };
      const url = i % 7 === 0 ? platform.filesUrl : platform.linkUrl;
      return visit(url, method, `/${codes[i % codes.length]}`, { ...headers, ...agentName });
    });
    const seen = new Map<number, number>();
    for (const status of await Promise.all(visits)) seen.set(status, (seen.get(status) ?? 0) + 1);
    expect(Object.fromEntries(seen)).toEqual({ 200: 8_000, 204: 2_000 });
    const shown = (sparks: typeof before) => sparks.map(({ time_remaining: _, ...spark }) => spark);
    const after = succeeded(await owner.call(listSparks, { query: { limit: 100, status: 'active' } })).sparks;
    expect(shown(after)).toEqual(shown(before));
    const live = codes.slice(0, -1);
    expect(await Promise.all(live.map(statusOf))).toEqual(['active', 'active', 'active']);
    for (const code of live) expect((await open(code)).status).toBe(200);
    expect(await Promise.all(live.map(statusOf))).toEqual(['consumed', 'consumed', 'consumed']);
  });
});

describe('LNK-09: a link is created with its content', () => {
  it('and no endpoint of the API or of link pages creates one alone', async () => {
    for (const url of [platform.url, platform.linkUrl, platform.filesUrl]) {
      const answer = await api(url, { key }).send({ method: 'POST', target: '/v1/sparklinks', body: {} });
      expect(answer).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    }
  });
});

describe('OPEN-22 OPEN-23: a refused request does not consume a link', () => {
  it('from a page of another origin: it is 403, and the link page opens the link afterwards', async () => {
    const code = await sharedSpark();
    for (const Origin of ['https://evil.test', 'null', platform.filesUrl, platform.url])
      expect(await open(code, { Origin })).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
    expect(await statusOf(code)).toBe('active');
    const own = await open(code, { Origin: platform.linkUrl, 'Sec-Fetch-Site': 'same-origin' });
    expect(own.data).toMatchObject({ type: 'content', payload: 'a secret' });
  });

  it('on the other origin: its code is unknown there', async () => {
    const code = await sharedSpark();
    expect(await open(code, {}, platform.filesUrl)).toMatchObject({ status: 404 });
    expect((await open(code)).status).toBe(200);
  });
});

describe('SPK-11 TRAP 17: a link that is bound to an address', () => {
  const refused = { status: 403, error: { code: 'FORBIDDEN' } };
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  it('ignores the header of an untrusted peer', async () => {
    const [foreign, local] = [await linkSpark('203.0.113.9'), await linkSpark('127.0.0.1')];
    expect(await open(foreign, from('203.0.113.9'))).toMatchObject(refused);
    expect(await statusOf(foreign)).toBe('active');
    expect((await open(local, from('203.0.113.9'))).status).toBe(200);
  });

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9', '198.51.100.1, ::ffff:203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8::1', '[2001:0DB8:0:0::1]:4711'],
  ])('%s opens behind a trusted proxy for %s, and for no other address', async (bound, forwarded) => {
    const code = await linkSpark(bound);
    for (const other of ['203.0.113.10', '203.0.113.9, 198.51.100.1', '2001:db8::2', ''])
      expect(await open(code, from(other), proxiedUrl)).toMatchObject(refused);
    expect(await statusOf(code)).toBe('active');
    expect((await open(code, from(forwarded), proxiedUrl)).status).toBe(200);
    expect(await statusOf(code)).toBe('consumed');
  });
});
