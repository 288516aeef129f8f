import { createHmac, randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { connectChatapp } from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { retryRateLimited, succeeded } from '@vaultsvc/testing/http';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant, type Tenant } from '../access/tenant.js';
import { CrmClient } from './crm-client.js';

/** Of each kind of request; 3,400 take a quarter of a minute. */
const COUNT = 300;
const AT_ONCE = 20;

interface SignedRequest {
  readonly target: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}
/** Changes a request, and tells whether its signature still fits. */
type Mutation = (request: SignedRequest) => SignedRequest;

const platform = usePlatform();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant(platform);
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A refusal of the limiter precedes the record of a signature, so that the same request can be sent again. */
const answerTo = (request: SignedRequest): Promise<Answer> =>
  retryRateLimited(
    () => answerOnce(request),
    ({ status }) => status === 429,
  );

async function answerOnce({ target, body, headers }: SignedRequest): Promise<Answer> {
  const response = await fetch(platform.url + target, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  return { status: response.status, text: await response.text() };
}

/** Another character of the same kind, at a random place but the last one, whose base64 may have unused bits. */
function altered(text: string): string {
  const at = randomInt(text.length - 1);
  const old = text.charAt(at);
  const others = [...(/\d/.test(old) ? '0123456789' : 'abcdefABCDEF')].filter((one) => one !== old);
  return text.slice(0, at) + others[randomInt(others.length)] + text.slice(at + 1);
}
const withHeader =
  (name: string): Mutation =>
  (request) => ({
    ...request,
    headers: { ...request.headers, [name]: altered(request.headers[name] ?? '') },
  });
const withoutHeader =
  (name: string): Mutation =>
  ({ headers: { [name]: _, ...headers }, ...request }) => ({ ...request, headers });
const longerBody: Mutation = (request) => ({ ...request, body: `${request.body} ` });
const otherBody: Mutation = (request) => {
  const at = request.body.lastIndexOf('"');
  return { ...request, body: `${request.body.slice(0, at)}x${request.body.slice(at)}` };
};
const unchanged: Mutation[] = [
  (request) => ({ ...request, headers: { ...request.headers, 'X-Forwarded-Host': 'evil.example' } }),
  ({ headers, ...request }) => ({
    ...request,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
  }),
  ({ headers, ...request }) => ({
    ...request,
    headers: Object.fromEntries(Object.entries(headers).reverse()),
  }),
  (request) => ({
    ...request,
    headers: { ...request.headers, Accept: 'text/html', 'User-Agent': newId('u_') },
  }),
];

/** Sends requests, each changed in a random way, and lists answers other than expected. */
async function deviations(
  newRequest: () => Promise<SignedRequest>,
  { refused, accepted }: { refused: readonly Mutation[]; accepted: readonly Mutation[] },
  isAnswer: (text: string) => boolean,
): Promise<string[]> {
  const mutations = [
    ...refused.map((mutate) => ({ mutate, status: 401 })),
    ...accepted.map((mutate) => ({ mutate, status: 200 })),
  ];
  const found: string[] = [];
  const one = async (number: number) => {
    const { mutate, status } = mutations[number % mutations.length] as (typeof mutations)[number];
    const request = mutate(await newRequest());
    const answer = await answerTo(request);
    const isExpected = answer.status === status && (status === 401 || isAnswer(answer.text));
    if (!isExpected)
      found.push(`${status} expected for ${JSON.stringify(request)}: ${answer.status} ${answer.text}`);
  };
  for (let first = 0; first < COUNT; first += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => one(first + index)));
  return found;
}

describe('CHT-12 CRA-03 CRB-02: of requests that were changed on their way', () => {
  it('CHT-12: each whose signed text differs is refused, and the others are answered as the original, for the chat', async () => {
    const { team_id } = succeeded(
      await tenant.owner.call(connectChatapp, {
        body: { code: `local-ok-${newId('code_')}`, redirect_uri: 'https://app.example.com/callback' },
      }),
    );
    const key = platform.providers.settings['CHATAPP_SIGNING_SECRET'] as string;
    const newRequest = async (): Promise<SignedRequest> => {
      const body = JSON.stringify({ type: 'url_verification', team_id, challenge: 'abc' });
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const hex = createHmac('sha256', key).update(`v0:${timestamp}:${body}`).digest('hex');
      const headers = { 'X-Chat-Request-Timestamp': timestamp, 'X-Chat-Signature': `v0=${hex}` };
      return { target: '/v1/apps/chatapp/webhooks/events', body, headers };
    };
    const refused = [
      withHeader('X-Chat-Signature'),
      withHeader('X-Chat-Request-Timestamp'),
      withoutHeader('X-Chat-Signature'),
      withoutHeader('X-Chat-Request-Timestamp'),
      longerBody,
      otherBody,
    ];
    const withQuery: Mutation = (request) => ({ ...request, target: `${request.target}?a=b` });
    const accepted = [...unchanged, withQuery];
    expect(
      await deviations(newRequest, { refused, accepted }, (text) => text === '{"challenge":"abc"}'),
    ).toEqual([]);
  });

  it('CRA-03: each whose signed text differs is refused, and the others are answered as the original, for crma', async () => {
    const crm = await CrmClient.connect(tenant, 'crma');
    const newRequest = async (): Promise<SignedRequest> => {
      const given = { portal_id: crm.remoteId, object_type: 'contact', record_id: '1', user_id: '101' };
      const { query, headers } = await crm.signature('files', given);
      return { target: `/v1/apps/crma/files${query}`, body: JSON.stringify(given), headers };
    };
    const inTarget =
      (from: RegExp, to: string): Mutation =>
      (request) => ({ ...request, target: request.target.replace(from, to) });
    const refused = [
      withHeader('X-Crma-Signature-V3'),
      withHeader('X-Crma-Request-Timestamp'),
      withoutHeader('X-Crma-Signature-V3'),
      withoutHeader('X-Crma-Request-Timestamp'),
      longerBody,
      otherBody,
      inTarget(/userId=101/, 'userId=102'),
      inTarget(/userId=101&(portalId=\d+)/, '$1&userId=101'),
      inTarget(/$/, '&a=b'),
      inTarget(/\/files/, '/resolve'),
      inTarget(/%40/, '%2540'),
    ];
    // The provider signs %40 as @, however the URL spells it.
    const accepted = [...unchanged, inTarget(/%40/, '@')];
    const isList = (text: string) => text.includes('"data":{"files":[],"count":0}');
    expect(await deviations(newRequest, { refused, accepted }, isList)).toEqual([]);
  });

  it('CRB-02: each whose session differs is refused, and the others are answered as the original, for crmb', async () => {
    const crm = await CrmClient.connect(tenant, 'crmb');
    const newRequest = async (): Promise<SignedRequest> => ({
      target: '/v1/apps/crmb/files',
      body: JSON.stringify({ org_id: crm.remoteId, object_type: 'contact', record_id: '1' }),
      headers: { Authorization: `Bearer ${await crm.session('101')}` },
    });
    const ofAnother: Mutation = (request) => ({
      ...request,
      body: request.body.replace(/"org_id":"[^"]*"/, '"org_id":"00D000000000000"'),
    });
    const inSession: Mutation = (request) => {
      const [, session = ''] = (request.headers['Authorization'] ?? '').split(' ');
      return { ...request, headers: { Authorization: `Bearer ${altered(session)}` } };
    };
    const refused = [inSession, withoutHeader('Authorization'), ofAnother];
    const withQuery: Mutation = (request) => ({ ...request, target: `${request.target}?a=b` });
    const isList = (text: string) => text.includes('"data":{"files":[],"count":0}');
    expect(await deviations(newRequest, { refused, accepted: [...unchanged, withQuery] }, isList)).toEqual(
      [],
    );
  });
});
