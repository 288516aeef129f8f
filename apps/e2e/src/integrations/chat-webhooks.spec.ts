import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  connectChatapp,
  connectCrma,
  connectCrmb,
  disconnectChatapp,
  readChatAnalytics,
} from '@vaultsvc/contracts/integrations';
import { listAccountAudit } from '@vaultsvc/contracts/reporting';
import { listSparks } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded } from '@vaultsvc/testing/http';
import { eventually, withinOneMinute } from '@vaultsvc/testing/waiting';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant, type Tenant } from '../access/tenant.js';
import { CrmClient } from './crm-client.js';

const LIMIT = 12;
const platform = usePlatform({
  RATE_LIMIT_PER_IP_PER_MINUTE: String(LIMIT),
  TRUSTED_PROXIES: '127.0.0.1/32',
});
let tenant: Tenant;
let teamId: string;
beforeAll(async () => {
  tenant = await newTenant(platform);
  const body = { code: `local-ok-${newId('code_')}`, redirect_uri: 'https://app.example.com/callback' };
  teamId = succeeded(await tenant.owner.call(connectChatapp, { body })).team_id;
});

interface Sent {
  /** Instead of the right one. */
  readonly secret?: string;
  readonly headers?: Record<string, string>;
  /** The address of the provider; each test has its own. */
  readonly from?: string;
}

/** Posts a body as the chat platform does. */
async function post(path: string, body: string, { secret, headers, from = '198.51.100.1' }: Sent = {}) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = secret ?? (platform.providers.settings['CHATAPP_SIGNING_SECRET'] as string);
  const signature = createHmac('sha256', key).update(`v0:${timestamp}:${body}`).digest('hex');
  const response = await fetch(`${platform.url}/v1/apps/chatapp/webhooks/${path}`, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Chat-Request-Timestamp': timestamp,
      'X-Chat-Signature': `v0=${signature}`,
      'X-Forwarded-For': from,
      ...headers,
    },
  });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

const workspace = () => platform.providers.chat.workspace(teamId);
const command = (changes: Record<string, string> = {}) =>
  new URLSearchParams({
    team_id: teamId,
    command: '/secret',
    user_id: 'U0ADA',
    text: '',
    trigger_id: workspace().newTrigger(),
    ...changes,
  }).toString();

describe('CHT-12 CHT-13: the webhooks of the chat app over HTTP', () => {
  it('answer a signed command with an empty 200, and open its modal', async () => {
    expect(await post('commands', command())).toEqual({ status: 200, type: null, text: '' });
    await eventually(() => workspace().views.size, Boolean);
  });

  it('CHT-14: answer url_verification with its challenge alone', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc', token: 'x' });
    const { status, text } = await post('events', body, { headers: { 'Content-Type': 'application/json' } });
    expect({ status, text }).toEqual({ status: 200, text: '{"challenge":"abc"}' });
  });

  it('CHT-19 CHT-27: send a submitted secret, and say in the modal what is missing', async () => {
    const payloadOf = (value: string) =>
      new URLSearchParams({
        payload: JSON.stringify({
          type: 'view_submission',
          trigger_id: newId('trigger_'),
          team: { id: teamId },
          user: { id: 'U0ADA', name: 'ada' },
          view: {
            callback_id: 'send_secret',
            state: {
              values: {
                secret: { text: { value } },
                recipient: { conversation: { selected_conversation: 'U0BOB' } },
              },
            },
          },
        }),
      }).toString();
    const missing = await post('interactions', payloadOf(''));
    expect(JSON.parse(missing.text)).toEqual({
      response_action: 'errors',
      errors: { secret: expect.any(String) },
    });
    expect(await post('interactions', payloadOf('s3cret'))).toMatchObject({ status: 200, text: '' });
    await eventually(() => workspace().messages.size, Boolean);
    const { sparks } = succeeded(await tenant.owner.call(listSparks, { query: { limit: 10 } }));
    expect(sparks).toMatchObject([{ ttl_minutes: 60, status: 'active' }]);
    const { data } = succeeded(await tenant.owner.call(readChatAnalytics, { query: {} }));
    expect(data.totals).toEqual({ sparks_created: 1, sparks_read: 0 });
  });

  it('CHT-12: refuse a wrong signature with 401 in the envelope, also with an API key', async () => {
    const forged = { secret: 'wrong', headers: { 'X-API-Key': tenant.apiKey }, from: '198.51.100.2' };
    for (const path of ['commands', 'interactions', 'events']) {
      const { status, text } = await post(path, command(), forged);
      expect({ status, code: (JSON.parse(text) as { error: { code: string } }).error.code }).toEqual({
        status: 401,
        code: 'AUTHENTICATION_ERROR',
      });
    }
  });

  it('OPEN-10: count refused calls alone on the address', async () => {
    const challenge = JSON.stringify({ type: 'url_verification', challenge: 'x' });
    const { verified, refused, last } = await withinOneMinute(async (attempt) => {
      const from = `198.51.100.${3 + attempt}`;
      const statusesOf = async (calls: number, body: string, secret?: string) => {
        const statuses: number[] = [];
        for (let call = 0; call < calls; call++)
          statuses.push((await post('events', body, { from, ...(secret ? { secret } : {}) })).status);
        return statuses;
      };
      return {
        verified: await statusesOf(LIMIT + 3, challenge),
        refused: await statusesOf(LIMIT + 2, 'x', 'wrong'),
        last: await statusesOf(1, challenge),
      };
    });
    expect(new Set(verified)).toEqual(new Set([200]));
    expect(refused.slice(0, LIMIT)).toEqual(Array.from({ length: LIMIT }, () => 401));
    expect(refused.at(-1)).toBe(429);
    expect(last).toEqual([429]);
  });

  it('APP-24 AUD-01 OPEN-28: app_uninstalled uninstalls, and the audit log names the workspace as the actor', async () => {
    const event = {
      type: 'event_callback',
      team_id: teamId,
      event_id: 'Ev1',
      event_time: Math.floor(Date.now() / 1_000),
      event: { type: 'app_uninstalled' },
    };
    platform.providers.chat.uninstall(teamId);
    expect(await post('events', JSON.stringify(event))).toMatchObject({ status: 200, text: '' });
    const { entries } = await eventually(
      async () => succeeded(await tenant.owner.call(listAccountAudit, { query: { limit: 100 } })),
      (page) => page.entries.some(({ event_type }) => event_type === 'app_uninstalled'),
    );
    const again = await tenant.owner.call(disconnectChatapp, {});
    expect(again).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    const about = entries.filter(({ event_type }) => event_type.startsWith('app_'));
    expect(about).toMatchObject([
      {
        event_type: 'app_uninstalled',
        details: {
          app_id: 'chatapp',
          actor: { kind: 'app', id: 'chatapp', app: 'chatapp', team: teamId, person: null },
        },
        actor_type: null,
      },
      { event_type: 'app_installed', details: { app_id: 'chatapp' }, actor_type: 'user' },
    ]);
  });

  it.each([connectChatapp, connectCrma, connectCrmb])(
    'APP-19: $name refuses a body without each of its fields',
    async (op) => {
      const whole: Record<string, string> = {
        code: 'local-ok',
        redirect_uri: 'https://app.example.com/callback',
        ...(op === connectChatapp ? {} : { vault_id: newId('vlt_') }),
      };
      for (const name of Object.keys(whole)) {
        const { [name]: _, ...body } = whole;
        const answer = await tenant.owner.send({ method: 'POST', target: op.http.path, body });
        expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
      }
    },
  );

  it('CHT-26: the manifest of the app asks for exactly the ten scopes', async () => {
    const path = new URL('../../../../docs/integrations/chatapp-manifest.json', import.meta.url);
    const manifest = JSON.parse(await readFile(path, 'utf8')) as {
      oauth_config: { scopes: { bot: string[] } };
    };
    expect(manifest.oauth_config.scopes.bot).toEqual([
      'commands',
      'chat:write',
      'chat:write.public',
      'channels:join',
      'users:read',
      'channels:read',
      'groups:read',
      'im:read',
      'im:history',
      'mpim:read',
    ]);
  });

  it('AMB-24: an API key is no session for the OAuth callback', async () => {
    const key = api(platform.url, { key: tenant.apiKey });
    const body = { code: 'local-ok', redirect_uri: 'https://app.example.com/callback' };
    expect(await key.call(connectChatapp, { body })).toMatchObject({ status: 403 });
  });
});

describe('OPEN-10: a verified person of a CRM who is refused', () => {
  it('counts on the account, and not on the address of the provider, which many accounts share', async () => {
    const crm = await CrmClient.connect(tenant, 'crma');
    const body = { object_type: 'contact', record_id: '1', ingot_id: ':a.txt', vat: 'vat_x' };
    for (let request = 0; request < LIMIT + 3; request++) {
      const { query, headers } = await crm.signature('download', body);
      const from = { 'X-Forwarded-For': '198.51.100.77' };
      const { status } = await crm.send('download', body, { query, headers: { ...headers, ...from } });
      expect(status).toBe(401);
    }
  });
});
