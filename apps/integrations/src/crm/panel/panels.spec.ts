import { beforeAll, describe, expect, it } from '@jest/globals';
import { connectCrma } from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { reasonOf } from '@vaultsvc/testing/harness';
import { InstallationRepository } from '../../installations/installation.repository.js';
import { useIntegrations } from '../../testing/integrations-platform.js';
import type { CrmCaller } from '../crm-caller.js';
import { PanelRepository } from './panel.repository.js';
import { Panels } from './panels.js';

const platform = useIntegrations();
const record = { object_type: 'contact', record_id: '1' };
let panels: PanelRepository;
let caller: CrmCaller;
beforeAll(async () => {
  panels = platform.service.context.get(PanelRepository);
  const context = await platform.newCaller();
  const { vault_id } = await platform.newVault(context);
  const body = {
    code: `local-ok-${newId('code_')}`,
    redirect_uri: 'https://app.example.com/callback',
    vault_id,
  };
  const { portal_id } = await platform.harness.bus.call(connectCrma, { body }, context);
  const connected = await platform.service.context
    .get(InstallationRepository)
    .findConnected('crma', portal_id);
  if (!connected) throw new Error('crma is not connected');
  const { requestId, deadlineMs } = context;
  caller = { installation: { ...connected, vaultId: vault_id }, userId: '101', requestId, deadlineMs };
});

const age = (seconds: number) =>
  platform.sql(`UPDATE panels SET expires_at = expires_at - make_interval(secs => ${seconds})`);

describe('OPEN-66: tickets and bearers of panels', () => {
  it('end after 60 seconds and after 15 minutes', async () => {
    const ticket = await panels.issue(caller, record);
    await age(59);
    const bearer = (await panels.tradeTicket('crma', ticket))?.bearer ?? '';
    expect(await panels.find('crma', bearer)).toMatchObject({ userId: '101', record });
    await age(899);
    expect(await panels.find('crma', bearer)).toMatchObject({ record });
    await age(1);
    expect(await panels.find('crma', bearer)).toBeUndefined();
    const late = await panels.issue(caller, record);
    await age(60);
    expect(await panels.findTicket('crma', late)).toBeUndefined();
    expect(await panels.tradeTicket('crma', late)).toBeUndefined();
  });

  it('are of one CRM, and a ticket is traded once', async () => {
    const ticket = await panels.issue(caller, record);
    expect(await panels.findTicket('crmb', ticket)).toBeUndefined();
    expect(await panels.tradeTicket('crmb', ticket)).toBeUndefined();
    expect(await panels.findTicket('crma', ticket)).toMatchObject({ userId: '101', record });
    const { token } = await platform.service.context.get(Panels).open('crma', ticket);
    expect(await panels.find('crma', token)).toMatchObject({ userId: '101', record });
    expect(await panels.find('crmb', token)).toBeUndefined();
    expect(await panels.findTicket('crma', ticket)).toBeUndefined();
    const again = platform.service.context.get(Panels).open('crma', ticket);
    expect(await reasonOf(again)).toBe('AUTHENTICATION_ERROR');
  });

  it('are not the text by which they are found: a copy of the table opens nothing', async () => {
    const ticket = await panels.issue(caller, record);
    const { bearer = '' } = (await panels.tradeTicket('crma', ticket)) ?? {};
    const rows = JSON.stringify(await platform.sql(`SELECT encode(lookup, 'base64'), * FROM panels`));
    for (const text of [ticket, bearer]) {
      expect(rows).not.toContain(text);
      expect(rows).not.toContain(Buffer.from(text, 'base64url').toString('base64'));
    }
    expect(await panels.find('crma', ticket)).toBeUndefined();
    expect(await panels.tradeTicket('crma', bearer)).toBeUndefined();
  });

  it('are deleted when they have ended, by a job', async () => {
    await panels.issue(caller, record);
    await age(3_600);
    const kept = await panels.issue(caller, record);
    await panels.run();
    expect(await platform.sql('SELECT 1 FROM panels')).toHaveLength(1);
    expect(await panels.tradeTicket('crma', kept)).toBeDefined();
  });
});
