import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  receiveChatCommand,
  receiveChatEvent,
  receiveChatInteraction,
} from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { reasonOf } from '@vaultsvc/testing/harness';
import { ChatWorkspace } from '../testing/chat-workspace.js';
import { useIntegrations } from '../testing/integrations-platform.js';

const platform = useIntegrations();
let chat: ChatWorkspace;
beforeAll(async () => {
  chat = await ChatWorkspace.connect(platform, await platform.newCaller());
});

const command = (rest: string) => {
  const form = `command=%2Fsecret&text=&trigger_id=${chat.state.newTrigger()}&${rest}`;
  return reasonOf(chat.deliver(receiveChatCommand, chat.sign(form)));
};
const payload = () =>
  encodeURIComponent(
    JSON.stringify({ type: 'block_actions', team: { id: chat.teamId }, trigger_id: newId('n_') }),
  );

describe('OPEN-38: parameters of the chat that identify', () => {
  it('are accepted once', async () => {
    expect(await command(`team_id=${chat.teamId}&user_id=U0ADA`)).toBe('none');
  });

  it.each([
    ['team_id', () => `team_id=${chat.teamId}&team_id=T0OTHER&user_id=U0ADA`],
    ['user_id', () => `team_id=${chat.teamId}&user_id=U0ADA&user_id=U0EVE`],
    ['an escaped team_id', () => `team_id=${chat.teamId}&te%61m_id=T0OTHER&user_id=U0ADA`],
    ['channel_id', () => `team_id=${chat.teamId}&channel_id=C1&channel_id=C2`],
  ])('are refused in a command with a repeated %s', async (_, rest) => {
    expect(await command(rest())).toBe('VALIDATION_ERROR');
  });

  it('are refused in an interaction without exactly one payload', async () => {
    const bodies = [`payload=${payload()}&payload=${payload()}`, 'a=b', ''];
    for (const body of bodies)
      expect(await reasonOf(chat.deliver(receiveChatInteraction, chat.sign(body)))).toBe('VALIDATION_ERROR');
  });

  it('are refused in the query, which is not signed', async () => {
    const signed = chat.sign(JSON.stringify({ type: 'event_callback', team_id: chat.teamId, event: {} }));
    for (const name of ['team_id', 'user_id', 'payload']) {
      const target = `/v1/apps/chatapp/webhooks/events?${name}=T0OTHER`;
      expect(await reasonOf(chat.deliver(receiveChatEvent, signed, target))).toBe('VALIDATION_ERROR');
    }
    expect(
      await reasonOf(chat.deliver(receiveChatEvent, signed, '/v1/apps/chatapp/webhooks/events?a=b')),
    ).toBe('none');
  });
});

describe('CHT-12: a request of the chat that failed on our side', () => {
  it('is done when it is repeated, and once', async () => {
    const { chat: provider } = platform.providers;
    const form = new URLSearchParams({ team_id: chat.teamId, trigger_id: chat.state.newTrigger() });
    const same = chat.sign(form.toString());
    const send = () => reasonOf(chat.deliver(receiveChatCommand, same));
    await platform.sql('ALTER TABLE webhook_deliveries RENAME TO webhook_deliveries_away');
    expect(await send()).toBe('INTERNAL_ERROR');
    await platform.sql('ALTER TABLE webhook_deliveries_away RENAME TO webhook_deliveries');
    provider.calls = [];
    expect(await send()).toBe('none');
    expect(await send()).toBe('none');
    expect(
      await platform.sql(`SELECT running_until FROM webhook_deliveries WHERE delivery = $1`, [
        same.signature,
      ]),
    ).toEqual([{ running_until: null }]);
  });
});
