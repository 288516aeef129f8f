import { describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  putConfig,
  readConfig,
  type NotifyConfigurationChanges,
  type NotifyConfigurationState,
} from '@vaultsvc/contracts/notify';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { useSendPlatform } from '../testing/send-platform.js';

const platform = useSendPlatform();
const put = (body: NotifyConfigurationChanges, caller: AccountContext): Promise<NotifyConfigurationState> =>
  platform.harness.bus.call(putConfig, { body }, caller);
const read = (caller: AccountContext) => platform.harness.bus.call(readConfig, {}, caller);

describe('OPEN-34: PUT of the configuration', () => {
  it('leaves what it does not name, also within `delivery` and `security`', async () => {
    const caller = accountContext();
    await put(
      {
        default_channels: ['sms'],
        channel_priority: { billing: ['email'] },
        delivery: { escalation_delays: [0, 600] },
        security: { mandatory_seal_categories: ['payroll'] },
        targets: { slack: { url: 'https://hooks.slack.com/services/T0/B0/x' } },
      },
      caller,
    );
    await put({ security: { mandatory_seal_categories: ['legal'] } }, caller);
    await put({ delivery: { escalation_enabled: false } }, caller);
    await put({}, caller);
    expect(await read(caller)).toMatchObject({
      default_channels: ['sms'],
      channel_priority: { billing: ['email'] },
      delivery: { escalation_enabled: false, escalation_delays: [0, 600] },
      security: { mandatory_seal_categories: ['legal'] },
      targets: { slack: { url: 'https://hooks.slack.com/…' } },
    });
  });

  it('removes a target for null, and leaves the others', async () => {
    const caller = accountContext();
    const slack = { url: 'https://hooks.slack.com/services/T0/B0/x' };
    await put({ targets: { slack, teams: { url: 'https://teams.example.com/x' } } }, caller);
    await put({ targets: { teams: null } }, caller);
    const { targets } = await read(caller);
    expect(targets).toMatchObject({ slack: { url: 'https://hooks.slack.com/…' } });
    expect(targets?.teams ?? null).toBeNull();
  });

  it('has the defaults for what was never set', async () => {
    expect(
      await put({ security: { mandatory_seal_categories: ['payroll'] } }, accountContext()),
    ).toMatchObject({
      default_channels: ['in_app', 'email'],
      channel_priority: {},
      delivery: { escalation_enabled: true, escalation_delays: [0] },
    });
  });

  it('merges priorities by category, and null removes one', async () => {
    const caller = accountContext();
    await put({ channel_priority: { billing: ['email'], alerts: ['sms', 'voice'] } }, caller);
    await put({ channel_priority: { alerts: ['push'], news: ['in_app'] } }, caller);
    await put({ channel_priority: { billing: null, unknown: null } }, caller);
    expect((await read(caller)).channel_priority).toEqual({ alerts: ['push'], news: ['in_app'] });
  });

  it('OPEN-34: takes any text for a category, whose case does not matter', async () => {
    const caller = accountContext();
    await put({ channel_priority: { Invoices: ['email'], 'Rechnungen & Mahnungen': ['sms'] } }, caller);
    await put({ channel_priority: { INVOICES: ['push'] } }, caller);
    expect((await read(caller)).channel_priority).toEqual({
      invoices: ['push'],
      'rechnungen & mahnungen': ['sms'],
    });
    const twice = { channel_priority: { A: ['email'], a: ['sms'] } } as NotifyConfigurationChanges;
    expect(await reasonOf(put(twice, caller))).toBe('VALIDATION_ERROR');
  });

  it('keeps concurrent changes of different members', async () => {
    const caller = accountContext();
    await put({ targets: { webhook: { url: 'https://hooks.example.com/0' } } }, caller);
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const url = 'https://hooks.example.com/1';
    await Promise.all([
      put({ default_channels: ['sms'] }, caller),
      put({ delivery: { escalation_enabled: false } }, caller),
      put({ delivery: { escalation_delays: [0, 60] } }, caller),
      put({ channel_priority: { billing: ['email'] } }, caller),
      put({ channel_priority: { alerts: ['push'] } }, caller),
      put({ targets: { slack: { url: 'https://hooks.slack.com/services/T0/B0/x' } } }, caller),
      put({ targets: { teams: { url: 'https://teams.example.com/x' } } }, caller),
      put({ targets: { webhook: { url, secret } } }, caller),
    ]);
    expect(await read(caller)).toMatchObject({
      default_channels: ['sms'],
      channel_priority: { billing: ['email'], alerts: ['push'] },
      delivery: { escalation_enabled: false, escalation_delays: [0, 60] },
      targets: { webhook: { url }, slack: { url: 'https://hooks.slack.com/…' } },
    });
  });

  it('refuses priorities of more than 8,192 bytes together, and changes nothing then', async () => {
    const caller = accountContext();
    const many = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${prefix}${i}`, ['whatsapp']])) as never;
    await put({ channel_priority: many('a') }, caller);
    expect(await reasonOf(put({ channel_priority: many('b'), default_channels: ['sms'] }, caller))).toBe(
      'VALIDATION_ERROR',
    );
    expect((await read(caller)).default_channels).toEqual(['in_app', 'email']);
  });
});
