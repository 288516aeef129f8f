import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { connectChatapp } from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded } from '@vaultsvc/testing/http';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newTenant, type Tenant } from '../access/tenant.js';
import { sendContent } from '../access/upload-content.js';
import { vaultWithIngots } from '../access/vault-samples.js';
import { CrmClient, type CrmApp, type CrmResponse } from '../integrations/crm-client.js';
import { PanelClient } from '../integrations/panel-client.js';
import { answerTo, signedByChat } from '../integrations/signed-request.js';
import { deviations } from './deviations.js';
import { rows } from './index.js';

const platform = usePlatform();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant(platform);
});

const tried = new Set<string>();

/** Where an answer differs from the row of the route. */
function differences(route: string, { status, data, code }: CrmResponse): string[] {
  tried.add(route);
  const row = rows.find((one) => one.route === route);
  if (!row) return [`${route} has no row`];
  if (status !== row.status) return [`${route}: ${status} ${code ?? ''}, not ${row.status}`];
  return row.data ? deviations(row.data, data ?? null, route) : [];
}

const content = Buffer.from('content');

describe.each<CrmApp>(['crma', 'crmb'])(
  'CRA-01 CRB-01 OPEN-37: the calls of %s answer as their rows say',
  (app) => {
    let crm: CrmClient;
    const record = { object_type: 'contact', record_id: `r-${randomUUID()}` };
    beforeAll(async () => {
      crm = await CrmClient.connect(tenant, app);
    });

    it('by the proxy of the CRM', async () => {
      const { vmk } = crm.vault;
      const found: string[] = [];
      const call = async (path: string, body: object = {}) => {
        const answer = await crm.request(path, { ...record, ...body });
        found.push(...differences(`POST /v1/apps/${app}/${path}`, answer));
        return answer.data;
      };
      const { vat } = await call('unseal', { vmk });
      await call('resolve');
      if (app === 'crmb') await call('upload-context', { vat });
      const panel = await PanelClient.open(crm, record);
      const ingot_id = await panel.upload(await panel.unseal(), 'a.txt', 'content');
      await call('files');
      await call('download', { ingot_id, vat });
      await call('delete-file', { ingot_id, vat });
      expect(found).toEqual([]);
    });

    it('by the panel of a record', async () => {
      const found: string[] = [];
      const check = (path: string, answer: CrmResponse) => {
        found.push(...differences(`POST /v1/apps/{app_id}/panel/${path}`, answer));
        return answer.data;
      };
      const ticket = await PanelClient.ticket(crm, record);
      const { token } = check('session', await PanelClient.trade(crm, ticket));
      const panel = await PanelClient.open(crm, record);
      const call = async (path: string, body?: object) => check(path, await panel.call(path, body, token));
      const { vat } = await call('unseal', { vmk: crm.vault.vmk });
      const file = { vat, name: 'b.txt', size_bytes: content.length, content_type: 'text/plain' };
      const { ingot_id, forge_url } = await call('upload', file);
      await sendContent(forge_url, content);
      await call('files');
      await call('download', { vat, ingot_id });
      await call('share', { vat, ingot_id, expires_in_seconds: 300 });
      await call('delete-file', { vat, ingot_id });
      expect(found).toEqual([]);
    });

    it('APP-24: by its webhook', async () => {
      const body =
        app === 'crma'
          ? [{ subscriptionType: 'app.deauthorize', portalId: Number(crm.remoteId) }]
          : { event: 'app.uninstall', org_id: crm.remoteId };
      const answer = await crm.send('webhooks', body, await crm.signature('webhooks', body));
      expect(differences(`POST /v1/apps/${app}/webhooks`, answer)).toEqual([]);
    });
  },
);

describe('CHT-13: the calls of the chat platform', () => {
  const bodies = async () => {
    const connection = {
      code: `local-ok-${newId('code_')}`,
      redirect_uri: 'https://app.example.com/callback',
    };
    const { team_id } = succeeded(await tenant.owner.call(connectChatapp, { body: connection }));
    const command = {
      team_id,
      user_id: 'U1',
      command: '/secret',
      text: 'help',
      trigger_id: newId('trigger_'),
    };
    const interaction = { type: 'block_actions', team: { id: team_id }, user: { id: 'U1' }, actions: [] };
    return {
      commands: new URLSearchParams(command).toString(),
      interactions: new URLSearchParams({ payload: JSON.stringify(interaction) }).toString(),
      events: JSON.stringify({ type: 'url_verification', challenge: 'abc', token: 'x' }),
    };
  };

  it('answer as their rows say', async () => {
    const found: string[] = [];
    for (const [path, body] of Object.entries(await bodies())) {
      const signed = signedByChat(platform, path, body);
      const type = {
        'Content-Type': path === 'events' ? 'application/json' : 'application/x-www-form-urlencoded',
      };
      const { status, text } = await answerTo(platform, {
        ...signed,
        headers: { ...signed.headers, ...type },
      });
      const data: unknown = text === '' ? {} : JSON.parse(text);
      found.push(...differences(`POST /v1/apps/chatapp/webhooks/${path}`, { status, data }));
    }
    expect(found).toEqual([]);
  });
});

describe('OPEN-14: Forge', () => {
  const tus = { 'Tus-Resumable': '1.0.0' };
  const call = async (route: string, target: string, init: RequestInit = {}) => {
    const [method] = route.split(' ') as [string];
    const response = await fetch(new URL(target, platform.forgeUrl), { ...init, method });
    const text = await response.text();
    const data: unknown = response.headers.get('content-type')?.includes('json')
      ? JSON.parse(text)
      : undefined;
    expect(differences(route, { status: response.status, data })).toEqual([]);
    return response;
  };

  it('answers as its rows say', async () => {
    const { params, headers } = await vaultWithIngots(tenant);
    const post = async (path: string, body: object) => {
      const target = `/v1/vaults/${params.vault_id}/ingots${path}`;
      return (await tenant.owner.send({ method: 'POST', target, headers, body })).data as Record<
        string,
        string
      >;
    };
    await call('GET /health', '/health');
    await call('OPTIONS /encrypt', '/encrypt');
    for (const end of ['PATCH /encrypt/{upload_id}', 'DELETE /encrypt/{upload_id}']) {
      const { forge_url = '' } = await post('', { name: randomUUID(), size_bytes: content.length });
      const opening = { headers: { ...tus, 'Upload-Length': String(content.length) } };
      const opened = await call('POST /encrypt', forge_url, opening);
      const upload = opened.headers.get('location') ?? '';
      await call('HEAD /encrypt/{upload_id}', upload, { headers: tus });
      const chunk = { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
      await call(end, upload, end.startsWith('PATCH') ? { headers: chunk, body: content } : { headers: tus });
    }
    const { download_url = '' } = await post(`/${params.ingot_id}/download`, {});
    await call('GET /progress', download_url.replace('/decrypt', '/progress'));
    await call('GET /decrypt', download_url);
  });
});

describe('Every row of a provider and of Forge', () => {
  it('has been tried', () => {
    const expected = rows
      .filter(({ by, origin }) => by === 'provider' || origin === 'forge')
      .map(({ route }) => route);
    // Its events need Stripe's signature and settings: apps/reporting/src/billing/stripe.
    expect(expected.filter((route) => !tried.has(route))).toEqual(['POST /v1/billing/webhooks/stripe']);
  });
});
