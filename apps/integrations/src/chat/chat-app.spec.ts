import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  ChatAnalyticsQuery,
  disconnectChatapp,
  installApp,
  listApps,
  NewInstallation,
  readChatAnalytics,
  receiveChatCommand,
  receiveChatInteraction,
} from '@vaultsvc/contracts/integrations';
import { listSparks, SparkListQuery } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { formsOf, heldOnDisk } from '@vaultsvc/testing/servers';
import { eventually } from '@vaultsvc/testing/waiting';
import { ChatWorkspace, signedByChat } from '../testing/chat-workspace.js';
import { useIntegrations } from '../testing/integrations-platform.js';
import { ChatSecretRepository } from './chat-secret.repository.js';
import { PostSecrets } from './post-secrets.job.js';

const platform = useIntegrations();
let caller: AccountContext;
let chat: ChatWorkspace;
beforeEach(async () => {
  await stopSchedule(platform.service); // requests wake the work; no schedule hides that one did not
  platform.providers.chat.fail({ mode: 'none' });
  platform.providers.chat.calls = [];
  caller = await platform.newCaller();
  chat = await ChatWorkspace.connect(platform, caller);
});

interface Posted {
  readonly channel: string;
  readonly ts: string;
  readonly text: string;
  readonly blocks?: readonly { readonly elements?: readonly { readonly value?: string }[] }[];
}

interface View {
  readonly title: { readonly text: string };
  readonly blocks: readonly { readonly text?: { readonly text: string } }[];
}

const messages = (): Posted[] => [...chat.state.messages.values()] as Posted[];
const views = (): View[] => [...chat.state.views.values()] as View[];
const textsOf = (view: Pick<View, 'blocks'> | undefined) =>
  view?.blocks.map(({ text }) => text?.text).join('') ?? '';
const sparkIdOf = ({ blocks }: Posted) =>
  blocks?.flatMap(({ elements = [] }) => elements.map(({ value }) => value))[0] as string;
const sparksOf = async (status?: 'active' | 'ash') =>
  (
    await platform.harness.bus.call(
      listSparks,
      { query: Object.assign(new SparkListQuery(), { status }) },
      caller,
    )
  ).sparks;
const methodsCalled = () => platform.providers.chat.calls.map(({ path }) => path.replace('/api/', ''));

/** More bytes than any plan has. */
const ALL = '1000000000000000';

/** Changes the plan of the account and what it has used; the row exists once something was used. */
const changePools = (change: string) =>
  eventually(
    () =>
      platform.reportingSql(
        `UPDATE pools SET ${change}, version = version + 1 WHERE account_id = $1 RETURNING 1`,
        [caller.credential.accountId],
      ),
    ({ length }) => length === 1,
  );

/** Sends a secret and returns its message. */
async function sent(secret: string, to = 'C0RANDOM', minutes?: number): Promise<Posted> {
  const before = messages().length;
  expect(await chat.submit({ secret, to, ...(minutes !== undefined && { minutes }) })).toBeUndefined();
  return (await eventually(messages, ({ length }) => length > before)).at(-1) as Posted;
}

/** Presses View & Destroy and returns what the modal says in the end. */
async function viewed(message: Posted, user?: string): Promise<string> {
  const before = views().length;
  expect(await chat.view(message, sparkIdOf(message), user)).toBeUndefined();
  await eventually(views, (all) => all.length > before && textsOf(all.at(-1)) !== 'Loading …');
  return textsOf(views().at(-1));
}

describe('CHT-15: the command /secret', () => {
  it.each([
    ['', undefined],
    ['<@U0BOB|bob> hello', 'U0BOB'],
    ['<#C0GENERAL|general>', 'C0GENERAL'],
    ['@bob', undefined],
  ])('CHT-15: %j opens the modal with %j pre-selected', async (text, recipient) => {
    expect(await chat.command(text)).toBeUndefined();
    const [view] = await eventually(views, ({ length }) => length === 1);
    expect(view).toMatchObject({ type: 'modal', callback_id: 'send_secret' });
    const inputs = (view as never as { blocks: { block_id: string; element: Record<string, unknown> }[] })
      .blocks;
    const elementOf = (id: string) => inputs.find(({ block_id }) => block_id === id)?.element;
    expect(elementOf('recipient')?.['initial_conversation']).toBe(recipient);
    // CHT-19
    const options = elementOf('expiry')?.['options'] as { value: string }[];
    expect(options.map(({ value }) => value)).toEqual(['1', '5', '15', '30', '60', '360', '720', '1440']);
    expect(elementOf('expiry')?.['initial_option']).toMatchObject({ value: '60' });
  });

  it('CHT-13: of a workspace that is not connected says so', async () => {
    expect(await chat.command('', { team_id: 'T0UNKNOWN' })).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringContaining('not connected'),
    });
  });

  it('CHT-12: is refused with a wrong signature, and has one effect when it is delivered twice', async () => {
    const form = new URLSearchParams({
      team_id: chat.teamId,
      trigger_id: chat.state.newTrigger(),
    }).toString();
    const forged = signedByChat(form, 'another secret');
    expect(await reasonOf(chat.deliver(receiveChatCommand, forged))).toBe('AUTHENTICATION_ERROR');
    const old = { ...chat.sign(form), timestamp: String(Math.floor(Date.now() / 1_000) - 301) };
    expect(await reasonOf(chat.deliver(receiveChatCommand, old))).toBe('AUTHENTICATION_ERROR');
    const request = chat.sign(form);
    await Promise.all(Array.from({ length: 5 }, () => chat.deliver(receiveChatCommand, request)));
    await eventually(views, ({ length }) => length === 1);
    expect(methodsCalled().filter((name) => name === 'views.open')).toHaveLength(1);
  });

  it('answers the check of certificates without a signature, and does nothing', async () => {
    const body = new URLSearchParams({ ssl_check: '1', team_id: chat.teamId }).toString();
    const unsigned = { body, timestamp: '', signature: '' };
    expect(await chat.deliver(receiveChatCommand, unsigned)).toBeUndefined();
  });

  it('CHT-13: is answered at once while the provider does not answer', async () => {
    platform.providers.chat.fail({ mode: 'timeout', path: '/api/views.open' });
    expect(await chat.command()).toBeUndefined();
  });
});

describe('a submitted secret', () => {
  it('CHT-20 CHT-19: becomes a Spark of one hour, and only its id is in the message', async () => {
    const secret = `canary-${randomBytes(12).toString('hex')}`;
    const message = await sent(secret);
    expect(message.channel).toBe('C0RANDOM');
    const [spark] = await sparksOf('active');
    expect(spark).toMatchObject({ spark_id: sparkIdOf(message), ttl_minutes: 60, status: 'active' });
    expect(JSON.stringify(platform.providers.chat.calls)).not.toContain(secret);
    expect(await heldOnDisk(formsOf(secret))).toEqual([]);
  });

  it('CHT-19: expires when its sender chose', async () => {
    await sent('short', 'C0RANDOM', 5);
    expect((await sparksOf('active'))[0]).toMatchObject({ ttl_minutes: 5 });
  });

  it.each([
    ['CHT-17: without a recipient', { secret: 'x', to: '' }, 'recipient'],
    ['CHT-16: without a text', { secret: '', to: 'C0RANDOM' }, 'secret'],
    ['CHT-16: with more than 256,000 bytes', { secret: 'é'.repeat(128_001), to: 'C0RANDOM' }, 'secret'],
    ['CHT-19: with another expiry', { secret: 'x', to: 'C0RANDOM', minutes: 7 }, 'expiry'],
  ])('%s stays in its modal', async (_, choice, block) => {
    expect(await chat.submit(choice)).toEqual({
      response_action: 'errors',
      errors: { [block]: expect.any(String) },
    });
    expect(await sparksOf()).toEqual([]);
  });

  it('CHT-16: has 256,000 bytes at most', async () => {
    await sent('x'.repeat(256_000));
    expect((await sparksOf('active'))[0]).toMatchObject({ size_bytes: 256_000 });
  });

  it('CHT-17 CHT-18: reaches people, groups and private channels of the app, and joins public channels', async () => {
    for (const to of ['U0BOB', 'G0INVITED', 'G0GROUP']) await sent('x', to);
    expect(methodsCalled()).not.toContain('conversations.join');
    await sent('x', 'C0GENERAL');
    expect(methodsCalled()).toContain('conversations.join');
  });

  it('CHT-17: reaches people by id, of an organization, too, and direct messages with the app', async () => {
    for (const [to, channel] of [
      ['U0BOB', 'D0BOB'],
      ['W0DAN', 'D0DAN'],
      ['D0ADA', 'D0ADA'],
    ] as const)
      expect((await sent('x', to)).channel).toBe(channel);
  });

  it.each([
    ['D0ADABOB', 'a direct message between two people', /choose the person/i],
    ['G0PRIVATE', 'a private channel without the app', /\/invite/],
    ['C0OLD', 'an archived channel', /archived/],
    ['C0UNKNOWN', 'a channel that the app cannot see', /\/invite/],
  ])('CHT-17 CHT-18: to %s, %s, stays in its modal with advice', async (to, _, advice) => {
    expect(await chat.submit({ secret: 'x', to })).toEqual({
      response_action: 'errors',
      errors: { recipient: expect.stringMatching(advice) },
    });
    if (to.startsWith('D')) expect(await chat.submit({ secret: 'x', to: 'U0BOB' })).toBeUndefined();
    expect(await sparksOf()).toHaveLength(to.startsWith('D') ? 1 : 0);
  });

  it.each([
    ['D0ADABOB', /choose the person/i],
    ['G0PRIVATE', /\/invite/],
    ['C0OLD', /archived/],
  ])(
    'CHT-18: to %s, where nobody said in time that the app cannot write, is destroyed, and its sender is told',
    async (to, advice) => {
      platform.providers.chat.fail({ mode: 'fail', path: '/api/conversations.info' });
      await chat.submit({ secret: 'x', to });
      const [notice] = await eventually(messages, ({ length }) => length === 1);
      expect(notice).toMatchObject({ channel: 'D0ADA', text: expect.stringContaining('was not sent') });
      expect(notice?.text).toMatch(advice);
      if (to.startsWith('D')) expect(notice?.text).not.toContain('/invite');
      expect(await sparksOf('active')).toEqual([]);
    },
  );

  it.each(['fail', 'throttle'] as const)(
    'is written later when the platform does not answer (%s)',
    async (mode) => {
      platform.providers.chat.fail({ mode, path: '/api/chat.postMessage' });
      expect(await chat.submit({ secret: 'x', to: 'C0RANDOM' })).toBeUndefined();
      await eventually(methodsCalled, (names) => names.includes('chat.postMessage'));
      await eventually(
        () =>
          platform.sql<{ is_later: boolean }>(
            `SELECT next_attempt_at < now() + interval '20 seconds' AS is_later FROM chat_secrets WHERE account_id = $1`,
            [caller.credential.accountId],
          ),
        ([row]) => row?.is_later === true,
      );
      await platform.sql(`UPDATE chat_secrets SET next_attempt_at = now() WHERE account_id = $1`, [
        caller.credential.accountId,
      ]);
      await platform.service.context.get(PostSecrets).run();
      expect(messages()).toHaveLength(1);
    },
  );

  it('is tried again after a minute at most, however often the platform has not answered', async () => {
    const secrets = platform.service.context.get(ChatSecretRepository);
    const { accountId } = caller.credential;
    const sparkId = newId('spk_');
    const place = { generation: 1, teamId: chat.teamId, channelId: 'C0RANDOM', senderId: 'U0ADA' };
    await secrets.reserve({ sparkId, accountId, ...place, characters: 1 }, 3_600);
    await secrets.minted(sparkId, Math.floor(Date.now() / 1_000) + 3_600);
    await platform.sql(`UPDATE chat_secrets SET attempts = 9 WHERE spark_id = $1`, [sparkId]);
    platform.providers.chat.fail({ mode: 'fail', path: '/api/chat.postMessage', count: 3 });
    await platform.service.context.get(PostSecrets).run();
    expect(messages()).toEqual([]);
    const soon = `SELECT next_attempt_at <= now() + interval '60 seconds' AS soon FROM chat_secrets WHERE spark_id = $1`;
    expect(await platform.sql(soon, [sparkId])).toEqual([{ soon: true }]);
  });

  it('CHT-12: becomes one Spark and one message, however often and long after its submission is delivered', async () => {
    const request = chat.submission({ secret: 'once', to: 'C0RANDOM' });
    const deliver = () => chat.deliver(receiveChatInteraction, request);
    expect(await Promise.all(Array.from({ length: 20 }, deliver))).toEqual(Array(20).fill(undefined));
    await eventually(messages, ({ length }) => length === 1);
    expect(await Promise.all([deliver(), deliver()])).toEqual([undefined, undefined]);
    await platform.service.context.get(PostSecrets).run();
    expect(messages()).toHaveLength(1);
    expect(await sparksOf()).toHaveLength(1);
  });

  it('CHT-23: needs an active plan and free pools, and the modal says which', async () => {
    await sent('before');
    const refusedWith = async (change: string) => {
      await changePools(change);
      const answer = await chat.submit({ secret: 'x', to: 'C0RANDOM' });
      return answer?.errors?.['secret'];
    };
    expect(await refusedWith(`storage_used = ${ALL}`)).toMatch(/^QUOTA_EXCEEDED.*storage/);
    expect(await refusedWith(`storage_used = 0, bandwidth_used = ${ALL}`)).toMatch(
      /^QUOTA_EXCEEDED.*bandwidth/,
    );
    expect(await refusedWith(`bandwidth_used = 0, status = 'none'`)).toMatch(/^PLAN_REQUIRED/);
    expect(await sparksOf()).toHaveLength(1);
  });
});

describe('View & Destroy', () => {
  it('CHT-22: shows the secret once, destroys it, and replaces the message', async () => {
    const message = await sent('the secret\nof two lines');
    expect(await viewed(message)).toBe('the secret\nof two lines');
    await eventually(messages, ([one]) => one?.text.startsWith('Secret Burned') === true);
    expect(await sparksOf('active')).toEqual([]);
    expect(await viewed(message, 'U0EVE')).toMatch(/expired or has already been viewed/);
  });

  it('CHT-22: reveals a secret to one of 20 people at once', async () => {
    const secret = `canary-${randomBytes(8).toString('hex')}`;
    const message = await sent(secret);
    const spark = sparkIdOf(message);
    await Promise.all(Array.from({ length: 20 }, (_, index) => chat.view(message, spark, `U${index}`)));
    await eventually(views, (all) => all.length === 20 && all.every((view) => textsOf(view) !== 'Loading …'));
    expect(views().filter((view) => textsOf(view) === secret)).toHaveLength(1);
  });

  it('CHT-22: burns nothing when its modal cannot be opened', async () => {
    const message = await sent('kept');
    platform.providers.chat.fail({ mode: 'fail', path: '/api/views.open' });
    await chat.view(message, sparkIdOf(message));
    await eventually(methodsCalled, (names) => names.includes('views.open'));
    expect(await viewed(message)).toBe('kept');
  });

  it('shows the secret although the platform fails at first', async () => {
    const message = await sent('after all');
    platform.providers.chat.fail({ mode: 'fail', path: '/api/views.update', count: 2 });
    expect(await viewed(message)).toBe('after all');
  });

  it.each(['a&amp;b', '<b>', '&', '&lt;script&gt; &amp;amp; "quoted"', '<@U0ADA> <!channel>'])(
    'AMB-28 CHT-22: shows %j as it was typed',
    async (secret) => {
      expect(await viewed(await sent(secret))).toBe(secret);
    },
  );

  it('CHT-21 AMB-28: shows 3,000 characters as typed, however long they are once they are escaped', async () => {
    const secret = '&<>'.repeat(1_000);
    expect(await viewed(await sent(secret))).toBe(secret);
  });

  it('CHT-21 AMB-28: refuses more than 3,000 characters before the burn, and shows 3,000 of any kind', async () => {
    const long = await sent('x'.repeat(3_001));
    expect(await viewed(long)).toMatch(/more than 3,000 characters/);
    expect((await sparksOf('active')).map(({ spark_id }) => spark_id)).toEqual([sparkIdOf(long)]);
    const emoji = '😀'.repeat(3_000);
    expect(await viewed(await sent(emoji))).toBe(emoji);
  });

  it('CHT-25: shows nothing after an uninstallation, nor after the next installation, and burns nothing', async () => {
    const message = await sent('unreadable');
    await platform.harness.bus.call(disconnectChatapp, {}, caller);
    await chat.view(message, sparkIdOf(message));
    expect(views()).toEqual([]);
    const other = await ChatWorkspace.connect(platform, caller);
    await other.view(message, sparkIdOf(message));
    await eventually(
      () => [...other.state.views.values()] as { blocks: { text?: { text: string } }[] }[],
      (all) => all.length === 1 && /cannot be viewed/.test(textsOf(all[0])),
    );
    expect((await sparksOf('active')).map(({ spark_id }) => spark_id)).toEqual([sparkIdOf(message)]);
  });

  it('CHT-24: is free, whatever the pools', async () => {
    const message = await sent('free');
    await changePools(`storage_used = ${ALL}, bandwidth_used = ${ALL}, status = 'none'`);
    expect(await viewed(message)).toBe('free');
  });

  it('CHT-25: does not show the secret of another workspace', async () => {
    const message = await sent('theirs');
    const strangers = await ChatWorkspace.connect(platform, await platform.newCaller());
    await strangers.view(message, sparkIdOf(message));
    await eventually(
      () => [...strangers.state.views.values()] as { blocks: { text?: { text: string } }[] }[],
      (all) => all.length === 1 && /cannot be viewed/.test(textsOf(all[0])),
    );
    expect(await viewed(message)).toBe('theirs');
  });

  it('CHT-12: shows nothing for a repeated request', async () => {
    const message = await sent('once');
    const request = chat.viewRequest(message, sparkIdOf(message));
    await Promise.all(Array.from({ length: 5 }, () => chat.deliver(receiveChatInteraction, request)));
    await eventually(views, ([view]) => textsOf(view) === 'once');
    expect(views()).toHaveLength(1);
  });
});

describe('events of a workspace', () => {
  const isInstalled = async () =>
    (await platform.harness.bus.call(listApps, {}, caller)).installed.length > 0;

  it('CHT-14: url_verification is answered with its challenge', async () => {
    expect(await chat.event({}, { type: 'url_verification', challenge: 'abc' })).toEqual({
      challenge: 'abc',
    });
  });

  it('CHT-14: app_home_opened shows the home, and a direct message gets help, each once', async () => {
    const event_id = 'Ev-home';
    const opened = { type: 'app_home_opened', user: 'U0ADA', tab: 'home' };
    for (const _ of [1, 2]) await chat.event(opened, { event_id });
    await eventually(() => chat.state.views.get('home of U0ADA'), Boolean);
    expect(methodsCalled().filter((name) => name === 'views.publish')).toHaveLength(1);
    await chat.event({ type: 'message', channel_type: 'im', channel: 'D0ADA', user: 'U0ADA', text: 'hi' });
    await eventually(messages, ([one]) => one?.text.startsWith('Write /secret') === true);
    await chat.event({ type: 'message', channel_type: 'im', channel: 'D0ADA', bot_id: 'B1', text: 'own' });
    await chat.event({ type: 'message', channel_type: 'im', channel: 'D0ADA', subtype: 'message_changed' });
    expect(messages()).toHaveLength(1);
  });

  const botUser = async () => {
    const rows = await platform.sql<{ bot: string }>(
      `SELECT remote->>'bot_user_id' AS bot FROM installations WHERE remote_id = $1 AND status = 'active'`,
      [chat.teamId],
    );
    return rows.map(({ bot }) => bot);
  };
  const now = () => Math.floor(Date.now() / 1_000);
  const isAskedAgain = async () =>
    (
      await platform.sql<{ is_hinted: boolean }>(
        `SELECT hinted_at IS NOT NULL AS is_hinted FROM installations WHERE remote_id = $1 AND status = 'active'`,
        [chat.teamId],
      )
    )[0]?.is_hinted;

  it('APP-24 CHT-14: app_uninstalled and tokens_revoked uninstall, in any order and repeatedly', async () => {
    const bot = await botUser();
    platform.providers.chat.uninstall(chat.teamId);
    await Promise.all([
      chat.event({ type: 'tokens_revoked', tokens: { bot } }, { event_time: now() }),
      chat.event({ type: 'app_uninstalled' }, { event_time: now() }),
      chat.event({ type: 'app_uninstalled' }, { event_time: now() }),
    ]);
    await eventually(isInstalled, (installed) => !installed);
    expect(methodsCalled()).not.toContain('auth.revoke');
  });

  it('OPEN-38: uninstall nothing while the token lives, or where only people have left', async () => {
    await chat.event(
      { type: 'tokens_revoked', tokens: { oauth: ['U0ADA'], bot: [] } },
      { event_time: now() },
    );
    expect(methodsCalled()).not.toContain('auth.test');
    await chat.event({ type: 'app_uninstalled' }, { event_time: now() });
    await eventually(methodsCalled, (names) => names.includes('auth.test'));
    await eventually(isAskedAgain, (hinted) => hinted === false);
    expect(await isInstalled()).toBe(true);
  });

  it('OPEN-38: of before the connection are ignored, even where nobody can be asked', async () => {
    platform.providers.chat.fail({ mode: 'fail', path: '/api/auth.test' });
    await chat.event({ type: 'app_uninstalled' }, { event_time: now() - 60, event_id: 'Ev-old' });
    expect(await isAskedAgain()).toBe(false);
    expect(methodsCalled()).not.toContain('auth.test');
  });

  it('OPEN-38: suffice where the platform does not answer', async () => {
    platform.providers.chat.fail({ mode: 'fail', path: '/api/auth.test' });
    await chat.event({ type: 'app_uninstalled' }, { event_time: now() });
    await eventually(isInstalled, (installed) => !installed);
  });
});

describe('CHT-16: the modal of /secret', () => {
  const notConnected = {
    response_action: 'errors',
    errors: { secret: 'This workspace is not connected; nothing was sent, your text is still here.' },
  };

  it('CHT-25: stays open after an uninstallation', async () => {
    await platform.harness.bus.call(disconnectChatapp, {}, caller);
    expect(await chat.submit({ secret: 'x', to: 'C0RANDOM' })).toEqual(notConnected);
    expect(await sparksOf()).toEqual([]);
  });

  it('sends from a shared channel for the workspace that has installed the app', async () => {
    const request = chat.submission({ secret: 'shared', to: 'C0SHARED' }, 'U0PIA', {
      team: { id: 'T0PARTNER' },
      app_installed_team_id: chat.teamId,
    });
    expect(await chat.deliver(receiveChatInteraction, request)).toBeUndefined();
    const [message] = await eventually(messages, ({ length }) => length === 1);
    expect(message).toMatchObject({ channel: 'C0SHARED' });
  });

  it('shows a secret of a shared channel to a person of the other workspace', async () => {
    const message = await sent('for both', 'C0SHARED');
    const payload = {
      type: 'block_actions',
      team: { id: 'T0PARTNER' },
      trigger_id: chat.state.newTrigger(),
      channel: { id: message.channel },
      message: { ts: message.ts },
      actions: [{ action_id: 'view_secret', value: sparkIdOf(message) }],
    };
    expect(await chat.interact(payload, 'U0PIA')).toBeUndefined();
    await eventually(views, ([view]) => textsOf(view) === 'for both');
  });

  it('does not close over a repetition of what was not sent', async () => {
    const request = chat.submission({ secret: 'x', to: 'C0OLD' });
    const [first, second] = [
      await chat.deliver(receiveChatInteraction, request),
      await chat.deliver(receiveChatInteraction, request),
    ];
    expect(first).toMatchObject({ response_action: 'errors' });
    expect(second).toEqual(first);
  });

  it('sends with the repetition what was not sent at first', async () => {
    const request = chat.submission({ secret: 'after all', to: 'C0RANDOM' });
    await platform.sql(`ALTER TABLE chat_secrets RENAME TO unavailable`);
    expect(await chat.deliver(receiveChatInteraction, request)).toMatchObject({ response_action: 'errors' });
    await platform.sql(`ALTER TABLE unavailable RENAME TO chat_secrets`);
    expect(await chat.deliver(receiveChatInteraction, request)).toBeUndefined();
    await eventually(messages, ({ length }) => length === 1);
    expect(await chat.deliver(receiveChatInteraction, request)).toBeUndefined();
    expect(await sparksOf()).toHaveLength(1);
  });
});

describe('CHT-05: the analytics of the chat app', () => {
  const read = (query: Partial<ChatAnalyticsQuery> = {}, context = caller) =>
    platform.harness.bus.call(
      readChatAnalytics,
      { query: Object.assign(new ChatAnalyticsQuery(), query) },
      context,
    );
  const today = () => new Date().toISOString().slice(0, 10);

  it('CHT-06 CHT-07 CHT-09: count by person and day', async () => {
    await viewed(await sent('one'));
    await sent('two');
    const { accountId } = caller.credential;
    await eventually(
      () =>
        platform.sql<{ reads: number }>(
          `SELECT sum(sparks_read)::int AS reads FROM chat_usage WHERE account_id = $1`,
          [accountId],
        ),
      ([row]) => row?.reads === 1,
    );
    const date = today();
    const ada = { slack_user_id: 'U0ADA', username: 'u0ada', sparks_created: 2, sparks_read: 0 };
    const bob = { slack_user_id: 'U0BOB', username: 'u0bob', sparks_created: 0, sparks_read: 1 };
    expect(await read()).toEqual({
      type: 'usage_records',
      data: {
        records: [
          { date, ...ada },
          { date, ...bob },
        ],
        truncated: false,
        totals: { sparks_created: 2, sparks_read: 1 },
        installation: {
          team_id: chat.teamId,
          team_name: expect.any(String),
          installed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        },
      },
    });
    expect(await read({ date })).toEqual({
      type: 'daily_summary',
      data: { date, total_sparks_created: 2, total_sparks_read: 1, users: [ada, bob] },
    });
  });

  it('CHT-07: name the workspace and the time of its installation, in ISO 8601', async () => {
    await platform.sql(
      `UPDATE installations SET installed_at = '2024-02-29 12:34:56.789Z' WHERE account_id = $1`,
      [caller.credential.accountId],
    );
    const { data } = await read();
    expect(data.installation).toEqual({
      team_id: chat.teamId,
      team_name: expect.stringMatching(/^Workspace code_/), // as the provider of the tests names it
      installed_at: '2024-02-29T12:34:56.000Z',
    });
  });

  it('CHT-08: say when the range has more records than one read returns', async () => {
    const { accountId } = caller.credential;
    await platform.sql(
      `INSERT INTO chat_usage (account_id, day, user_id, username, sparks_created)
       SELECT $1, '2024-03-01'::date + n / 500, 'U' || n, 'n', 1 FROM generate_series(0, 10000) AS n`,
      [accountId],
    );
    const { data } = await read({ start_date: '2024-03-01', end_date: '2024-03-31' });
    expect(data).toMatchObject({ truncated: true, totals: { sparks_created: 10_000 } });
    expect(data.records).toHaveLength(10_000);
  });

  it('CHT-10: are empty for a range without use', async () => {
    expect(await read({ start_date: '2024-01-01', end_date: '2024-01-31' })).toMatchObject({
      data: { records: [], truncated: false, totals: { sparks_created: 0, sparks_read: 0 } },
    });
    expect(await read({ date: '2024-02-29' })).toMatchObject({
      data: { users: [], total_sparks_created: 0 },
    });
  });

  it.each([
    { date: '2024-02-30' },
    { start_date: '2024-13-01' },
    { start_date: '2024-02-01', end_date: '2024-01-01' },
  ])('CHT-05: refuse %j', async (query) => {
    expect(await reasonOf(read(query))).toBe('VALIDATION_ERROR');
  });

  it('CHT-11 APP-26: need the chat app, connected or not', async () => {
    const own = await platform.newCaller();
    expect(await reasonOf(read({}, own))).toBe('VALIDATION_ERROR');
    await platform.harness.bus.call(
      installApp,
      { params: { app_id: 'chatapp' }, body: new NewInstallation() },
      own,
    );
    expect(await read({}, own)).toMatchObject({ data: { installation: { team_id: null, team_name: null } } });
  });
});
