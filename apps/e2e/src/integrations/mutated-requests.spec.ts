import { beforeAll, describe, expect, it } from '@jest/globals';
import { integer, loadConfig, Setting } from '@vaultsvc/config';
import { connectChatapp, readApp } from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant, type Tenant } from '../access/tenant.js';
import { CrmClient, type CrmApp } from './crm-client.js';
import { PanelClient } from './panel-client.js';
import {
  altered,
  answerTo,
  harmless,
  inTarget,
  longerBody,
  otherBody,
  signedByChat,
  signedByCrma,
  withHeader,
  withoutHeader,
  type Attempt,
  type Mutation,
  type SignedRequest,
} from './signed-request.js';

class MutationsConfig {
  @Setting(integer({ min: 1 }), 'Requests to each provider. The suite sends few; 10,000 are the whole proof.')
  MUTATED_REQUESTS = 300;
}

const { MUTATED_REQUESTS: COUNT } = loadConfig(MutationsConfig);
const AT_ONCE = 20;
/** The proof takes minutes. */
const TIMEOUT_MS = 3_600_000;

const platform = usePlatform();
let tenant: Tenant;
let stranger: Tenant;
beforeAll(async () => {
  [tenant, stranger] = await Promise.all([newTenant(platform), newTenant(platform)]);
});

/** Sends `COUNT` requests in turn, and lists answers other than expected. */
async function deviations(attempts: readonly Attempt[]): Promise<string[]> {
  const found: string[] = [];
  const one = async (number: number) => {
    const {
      name,
      request: make,
      isRepeated,
      status,
      isAnswer,
    } = attempts[number % attempts.length] as Attempt;
    const request = await make();
    if (isRepeated) await answerTo(platform, request);
    const answer = await answerTo(platform, request);
    const isExpected = answer.status === status && (isAnswer?.(answer.text) ?? true);
    if (!isExpected)
      found.push(
        `${name}: ${status} expected for ${JSON.stringify(request)}: ${answer.status} ${answer.text}`,
      );
  };
  for (let first = 0; first < COUNT; first += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => one(first + index)));
  return found.slice(0, 5);
}

const mutated = (
  request: Attempt['request'],
  status: number,
  mutations: readonly Mutation[],
  isAnswer?: Attempt['isAnswer'],
): Attempt[] =>
  mutations.map((mutate, number) => ({
    name: `mutation ${number}`,
    request: async () => mutate(await request()),
    status,
    ...(isAnswer && { isAnswer }),
  }));

const isInstalled = async (app: string) =>
  succeeded(await tenant.owner.call(readApp, { params: { app_id: app } })).installed;
const record = () => ({ object_type: 'contact', record_id: '1' });

/** A connected CRM with one file at the record, by which its answers are known. */
async function withFile(owner: Tenant, app: CrmApp): Promise<CrmClient> {
  const crm = await CrmClient.connect(owner, app);
  const panel = await PanelClient.open(crm, record());
  await panel.upload(await panel.unseal(), 'a.txt', 'hello');
  return crm;
}
const isOwn = (text: string) => text.includes('"count":1');
const isForeign = (text: string) => text.includes('"data":{"files":[],"count":0}');

describe('CHT-12 CRA-03 CRB-02 OPEN-38: of requests that were changed on their way, repeated, or are about another portal', () => {
  it(
    'CHT-12 OPEN-38: the chat accepts those that are signed as they arrive, with parameters that come once, and acts once',
    async () => {
      const { team_id } = succeeded(
        await tenant.owner.call(connectChatapp, {
          body: { code: `local-ok-${newId('code_')}`, redirect_uri: 'https://app.example.com/callback' },
        }),
      );
      const { chat } = platform.providers;
      chat.calls = [];
      const verification = () => {
        const body = JSON.stringify({ type: 'url_verification', team_id, challenge: 'abc' });
        return signedByChat(platform, 'events', body);
      };
      const command = (rest: string) => () =>
        signedByChat(platform, 'commands', `command=%2Fsecret&trigger_id=${newId('t_')}&${rest}`);
      const payload = encodeURIComponent(JSON.stringify({ type: 'block_actions', team: { id: team_id } }));
      let events = 0;
      const homeOpened = () => {
        events++;
        const event = { type: 'app_home_opened', tab: 'home', user: `U${events}` };
        const body = { type: 'event_callback', team_id, event_id: newId('Ev_'), event };
        return signedByChat(platform, 'events', JSON.stringify(body));
      };
      const refused = [
        withHeader('X-Chat-Signature'),
        withHeader('X-Chat-Request-Timestamp'),
        withoutHeader('X-Chat-Signature'),
        withoutHeader('X-Chat-Request-Timestamp'),
        longerBody,
        otherBody,
        inTarget(/events/, 'commands'),
      ];
      const isChallenge = (text: string) => text === '{"challenge":"abc"}';
      const attempts: Attempt[] = [
        ...mutated(verification, 401, refused.slice(0, -1)),
        ...mutated(verification, 200, [...harmless, inTarget(/$/, '?a=b')], isChallenge),
        ...mutated(verification, 400, [inTarget(/$/, `?team_id=${team_id}`), inTarget(/$/, '?payload=x')]),
        ...[
          `team_id=${team_id}&team_id=T0OTHER&user_id=U1`,
          `team_id=T0OTHER&user_id=U1&team_id=${team_id}`,
          `team_id=${team_id}&user_id=U1&user_id=U2`,
          `te%61m_id=T0OTHER&team_id=${team_id}&user_id=U1`,
        ].map((form) => ({ name: form, request: command(form), status: 400 })),
        ...[`payload=${payload}&payload=${payload}`, `a=${payload}`].map((form) => ({
          name: form,
          request: () => signedByChat(platform, 'interactions', `${form}&n=${newId('n_')}`),
          status: 400,
        })),
        {
          name: 'a repetition',
          request: homeOpened,
          isRepeated: true,
          status: 200,
          isAnswer: (text) => text === '',
        },
      ];
      expect(await deviations(attempts)).toEqual([]);
      const published = () => chat.calls.filter(({ path }) => path.endsWith('/views.publish')).length;
      await eventually(published, (count) => count >= events);
      expect(published()).toBe(events);
    },
    TIMEOUT_MS,
  );

  it(
    'CRA-03 OPEN-38: crma accepts those that are signed as they arrive, once, for the portal and person that its proxy names',
    async () => {
      const [crm, other] = await Promise.all([withFile(tenant, 'crma'), CrmClient.connect(stranger, 'crma')]);
      const [portal, foreign] = [crm.remoteId, other.remoteId];
      const proxied = (query: string, path = 'crma/files', body: unknown = record()) =>
        signedByCrma(
          platform,
          `/v1/apps/${path}?${query}&userEmail=a%40b.com&appId=54321&n=${newId('n_')}`,
          body,
        );
      const own = () => proxied(`userId=101&portalId=${portal}`);
      const event = [{ eventType: 'app.deauthorize', portalId: Number(portal) }];
      const ambiguous = [
        `portalId=${portal}&userId=1&userId=666&portalId=${foreign}`,
        `portalId=${portal}&userId=666&portalId=${foreign}`,
        `userId=1&userId=666&portalId=${foreign}`,
        `p%6FrtalId=${portal}&userId=666&portalId=${foreign}`,
        `userId=666`,
        `portalId=${foreign}`,
      ];
      const elsewhere = [
        'crma/webhooks',
        'crmb/files',
        'crmb/webhooks',
        'crma/panel/files',
        'crma/panel/session',
        'chatapp/webhooks/events',
        'chatapp/webhooks/commands',
        'chatapp/webhooks/interactions',
      ];
      const refused = [
        withHeader('X-Crma-Signature-V3'),
        withHeader('X-Crma-Request-Timestamp'),
        withoutHeader('X-Crma-Signature-V3'),
        withoutHeader('X-Crma-Request-Timestamp'),
        longerBody,
        otherBody,
        inTarget(/userId=101/, 'userId=102'),
        inTarget(/userId=101&(portalId=\d+)/, '$1&userId=101'),
        inTarget(/portalId=\d+/, `portalId=${foreign}`),
        inTarget(/$/, '&a=b'),
        inTarget(/\/files/, '/resolve'),
        inTarget(/\/files/, '/webhooks'),
        inTarget(/%40/, '%2540'),
      ];
      const attempts: Attempt[] = [
        ...mutated(own, 401, refused),
        // The provider signs %40 as @, however the URL spells it.
        ...mutated(own, 200, [...harmless, inTarget(/%40/, '@')], isOwn),
        { name: 'a repetition', request: own, isRepeated: true, status: 401 },
        ...ambiguous.map((query) => ({ name: query, request: () => proxied(query), status: 400 })),
        ...elsewhere.map((path) => ({
          name: path,
          request: () =>
            proxied(`userId=666&portalId=${foreign}`, path, path === 'crma/webhooks' ? event : record()),
          status: 401,
        })),
        {
          name: 'a foreign portal in the body',
          request: () =>
            proxied(`userId=666&portalId=${foreign}`, 'crma/files', {
              ...record(),
              portal_id: portal,
              user_id: '101',
            }),
          status: 200,
          isAnswer: isForeign,
        },
        { name: 'a portal without the app', request: () => proxied('userId=1&portalId=1'), status: 401 },
        {
          name: 'too many events',
          request: () =>
            signedByCrma(
              platform,
              '/v1/apps/crma/webhooks',
              Array.from({ length: 101 }, () => event[0]),
            ),
          status: 400,
        },
        {
          name: 'an event of an earlier installation',
          request: () => signedByCrma(platform, '/v1/apps/crma/webhooks', [{ ...event[0], occurredAt: 1 }]),
          status: 200,
        },
      ];
      expect(await deviations(attempts)).toEqual([]);
      expect(await isInstalled('crma')).toBe(true);
    },
    TIMEOUT_MS,
  );

  it(
    'CRB-02: crmb accepts sessions of the org for this API and for ten minutes at most, and for no other org',
    async () => {
      const [crm, other] = await Promise.all([withFile(tenant, 'crmb'), CrmClient.connect(stranger, 'crmb')]);
      const request = async (
        session: Promise<string>,
        body: object = {},
        path = 'files',
      ): Promise<SignedRequest> => ({
        target: `/v1/apps/crmb/${path}`,
        body: JSON.stringify({ org_id: crm.remoteId, ...record(), ...body }),
        headers: { Authorization: `Bearer ${await session}` },
      });
      const own = () => request(crm.session('101'));
      const now = () => Math.floor(Date.now() / 1_000);
      const bearer =
        (change: (session: string) => string): Mutation =>
        (of) => {
          const session = (of.headers['Authorization'] ?? '').replace('Bearer ', '');
          return { ...of, headers: { Authorization: change(session) } };
        };
      const refused = [
        bearer((session) => `Bearer ${altered(session)}`),
        bearer((session) => `Bearer ${session}, Bearer ${session}`),
        bearer((session) => `Bearer ${session.replace(/\.[^.]*$/, '.')}`),
        bearer((session) => `Basic ${session}`),
        withoutHeader('Authorization'),
      ];
      const sessions: [string, () => Promise<SignedRequest>][] = [
        ['too long a life', () => request(crm.session('101', { seconds: 601 }))],
        ['an old one', () => request(crm.session('101', { seconds: 60, claims: { iat: now() - 700 } }))],
        ['expired', () => request(crm.session('101', { seconds: -1 }))],
        ['another audience', () => request(crm.session('101', { audience: 'https://api.example.org' }))],
        [
          'another secret',
          () => request(crm.session('101', { secret: 'another secret of thirty-two bytes' })),
        ],
        ['another org in the body', () => request(other.session('666'))],
        ['another person in the body', () => request(crm.session('666'), { user_id: '101' })],
        [
          'an org without the app',
          () => request(crm.session('1', { orgId: '00D000000000000' }), { org_id: undefined }),
        ],
        [
          'an event about another org',
          () => request(other.session('666'), { event: 'app.uninstall' }, 'webhooks'),
        ],
      ];
      const attempts: Attempt[] = [
        ...mutated(own, 401, refused),
        ...mutated(own, 200, [...harmless, inTarget(/$/, '?a=b')], isOwn),
        ...sessions.map(([name, make]) => ({ name, request: make, status: 401 })),
        {
          name: 'another org',
          request: () => request(other.session('666'), { org_id: undefined }),
          status: 200,
          isAnswer: isForeign,
        },
      ];
      expect(await deviations(attempts)).toEqual([]);
      expect(await isInstalled('crmb')).toBe(true);
    },
    TIMEOUT_MS,
  );

  it(
    'OPEN-66: a panel accepts its own token, for its own record',
    async () => {
      const crm = await withFile(tenant, 'crmb');
      const ticket = await PanelClient.ticket(crm, record());
      const { token } = (await PanelClient.trade(crm, ticket)).data as { token: string };
      const own = (body: object = {}): SignedRequest => ({
        target: '/v1/apps/crmb/panel/files',
        body: JSON.stringify(body),
        headers: { Authorization: `Bearer ${token}` },
      });
      const bearer =
        (text: string): Mutation =>
        (of) => ({ ...of, headers: { Authorization: text } });
      const refused: Mutation[] = [
        (of) => bearer(`Bearer ${altered(token)}`)(of),
        bearer(`Bearer ${token}, Bearer ${token}`),
        bearer(`Bearer ${ticket}`),
        bearer(token),
        withoutHeader('Authorization'),
        inTarget(/crmb/, 'crma'),
        inTarget(/files/, 'session'),
      ];
      const other = () => own({ object_type: 'contact', record_id: '2', user_id: '666', portal_id: '1' });
      const attempts = [
        ...mutated(own, 401, refused),
        ...mutated(own, 200, harmless, isOwn),
        { name: 'another record in the body', request: other, status: 200, isAnswer: isOwn },
      ];
      expect(await deviations(attempts)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
