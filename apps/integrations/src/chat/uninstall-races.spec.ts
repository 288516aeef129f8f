import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { disconnectChatapp } from '@vaultsvc/contracts/integrations';
import { listSparks, SparkListQuery } from '@vaultsvc/contracts/sparks';
import { reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { newId } from '@vaultsvc/crypto/encoding';
import { BackgroundWork } from '../background-work.js';
import { ChatWorkspace } from '../testing/chat-workspace.js';
import { useIntegrations } from '../testing/integrations-platform.js';
import { ChatSecretRepository } from './chat-secret.repository.js';
import { PostSecrets } from './post-secrets.job.js';

const ROUNDS = 50;
const platform = useIntegrations();
let caller: AccountContext;
beforeAll(async () => {
  caller = await platform.newCaller();
});
beforeEach(() => stopSchedule(platform.service)); // requests wake the work

interface Posted {
  readonly channel: string;
  readonly ts: string;
  readonly blocks?: readonly { readonly elements?: readonly { readonly value?: string }[] }[];
}

/** Messages with a secret in a workspace. */
const secretsIn = ({ state }: ChatWorkspace) =>
  ([...state.messages.values()] as Posted[]).flatMap((message) =>
    (message.blocks ?? [])
      .flatMap(({ elements = [] }) => elements)
      .map(({ value = '' }) => ({ message, sparkId: value })),
  );
const shownIn = ({ state }: ChatWorkspace) => JSON.stringify([...state.views.values()]);
const work = () => platform.service.context.get(BackgroundWork).beforeApplicationShutdown();
const post = () => platform.service.context.get(PostSecrets).run();

/** Ends the installation in all ways at once. */
async function end(chat: ChatWorkspace): Promise<void> {
  const [row] = await platform.sql<{ bot: string }>(
    `SELECT remote->>'bot_user_id' AS bot FROM installations WHERE remote_id = $1`,
    [chat.teamId],
  );
  await Promise.all([
    reasonOf(platform.harness.bus.call(disconnectChatapp, {}, caller)),
    chat.event({ type: 'app_uninstalled' }),
    chat.event({ type: 'tokens_revoked', tokens: { bot: [row?.bot] } }),
  ]);
}

/** Secrets that are neither posted nor withdrawn, after another try of all, those that were postponed included. */
async function unsettled(): Promise<unknown[]> {
  await platform.sql(`UPDATE chat_secrets SET next_attempt_at = now()`);
  await post();
  return platform.sql(`SELECT 1 FROM chat_secrets WHERE state <> 'posted'`);
}

/** The ids of Sparks that can still be read. */
const activeSparks = async () => {
  const query = Object.assign(new SparkListQuery(), { status: 'active', limit: 500 });
  const { sparks } = await platform.harness.bus.call(listSparks, { query }, caller);
  return sparks.map(({ spark_id }) => spark_id);
};

/** Resolves after some turns of the event loop, so that the parts of a race meet in every order. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

it('CHT-25 APP-24: of secrets that are sent, posted and viewed during an uninstallation, none is readable after it, and none is left that nobody was told of', async () => {
  const posted = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const chat = await ChatWorkspace.connect(platform, caller);
    if (round % 3 === 0)
      platform.providers.chat.fail({ path: '/api/chat.postMessage', mode: 'throttle', count: 2 });
    const text = (number: number) => `secret ${round} ${number}`;
    const submissions = [0, 1, 2].map(async (number) => {
      await turns((round * 7 + number * 5) % 40);
      return chat.submit({ secret: text(number), to: 'C0RANDOM' });
    });
    const ending = (async () => {
      await turns((round * 11) % 60);
      await end(chat);
      await chat.event({ type: 'app_uninstalled' });
    })();
    await Promise.all([...submissions, ending]);
    const shownBefore = shownIn(chat);
    await post(); // what was queued is dropped
    for (const { message, sparkId } of secretsIn(chat)) await chat.view(message, sparkId);
    const again = await ChatWorkspace.connect(platform, caller);
    await post();
    for (const { message, sparkId } of secretsIn(chat)) await again.view(message, sparkId);
    await work();
    expect(shownIn(chat)).toBe(shownBefore);
    expect(secretsIn(again)).toEqual([]);
    for (const number of [0, 1, 2]) expect(shownIn(again)).not.toContain(text(number));
    platform.providers.chat.fail({ mode: 'none' });
    await eventually(unsettled, ({ length }) => length === 0); // requests woke the work, which may still run
    for (const { sparkId } of secretsIn(chat)) posted.add(sparkId);
    expect((await activeSparks()).filter((id) => !posted.has(id))).toEqual([]);
  }
});

it('CHT-25: a view that meets the uninstallation shows the secret, or says that it cannot be viewed', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const chat = await ChatWorkspace.connect(platform, caller);
    const secret = `viewed ${round}`;
    await chat.submit({ secret, to: 'C0RANDOM' });
    const [sent] = await eventually(
      () => secretsIn(chat),
      ({ length }) => length === 1,
    );
    if (!sent) throw new Error('nothing was sent');
    const views = [0, 1, 2].map(async (number) => {
      await turns((round * 3 + number * 9) % 40);
      await chat.view(sent.message, sent.sparkId);
    });
    await turns((round * 5) % 30);
    await reasonOf(platform.harness.bus.call(disconnectChatapp, {}, caller));
    await Promise.all(views);
    await work();
    const shown = shownIn(chat).split(secret).length - 1;
    expect(shown).toBeLessThanOrEqual(1);
    const before = chat.state.views.size;
    await chat.view(sent.message, sent.sparkId);
    await work();
    expect(chat.state.views.size).toBe(before);
  }
});

/** A secret that is reserved for an hour. */
async function reserve(sentFrom: { accountId?: string; teamId?: string } = {}): Promise<string> {
  const sparkId = newId('spk_');
  const ids = { accountId: caller.credential.accountId, generation: 1, teamId: 'T0', ...sentFrom };
  const secret = { sparkId, ...ids, channelId: 'C0', senderId: 'U0', characters: 5 };
  await platform.service.context.get(ChatSecretRepository).reserve(secret, 3_600);
  return sparkId;
}
const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600;

it('CHT-25: a reservation is confirmed once, and a secret in its conversation is not written again', async () => {
  const secrets = platform.service.context.get(ChatSecretRepository);
  const sparkId = await reserve();
  expect(await secrets.minted(sparkId, inAnHour())).toBe(true);
  await secrets.posted(sparkId);
  expect(await secrets.minted(sparkId, inAnHour())).toBe(false);
  expect(await platform.sql(`SELECT state FROM chat_secrets WHERE spark_id = '${sparkId}'`)).toEqual([
    { state: 'posted' },
  ]);
});

it('CHT-25: a reservation is left to its call until its lease has ended, and then to one job', async () => {
  await platform.sql(`DELETE FROM chat_secrets`);
  const secrets = platform.service.context.get(ChatSecretRepository);
  const sparkId = await reserve();
  expect(await secrets.claimDue()).toBeUndefined();
  await platform.sql(`UPDATE chat_secrets SET next_attempt_at = now()`);
  expect(await secrets.claimDue()).toMatchObject({ sparkId, state: 'minting', attempts: 1 });
  expect(await secrets.claimDue()).toBeUndefined();
});

it('CHT-25: a secret can be viewed through the installation alone by which it was sent, once its Spark exists', async () => {
  const secrets = platform.service.context.get(ChatSecretRepository);
  const isCurrentWith = async (change: object) => {
    const [accountId, teamId] = [newId('acc_'), newId('T_')];
    const sender = { app_id: 'chatapp', status: 'active', generation: 1, remote_id: teamId };
    await platform.sql(
      `INSERT INTO installations (installed_by_credential_id, account_id, app_id, status, generation, remote_id)
       VALUES ('key_1', $1, $2, $3, $4, $5)`,
      [accountId, ...Object.values({ ...sender, ...change })],
    );
    const sparkId = await reserve({ accountId, teamId });
    expect(await secrets.find(sparkId)).toBeUndefined();
    await secrets.minted(sparkId, inAnHour());
    return (await secrets.find(sparkId))?.isCurrent;
  };
  expect(await isCurrentWith({})).toBe(true);
  const others = [{ app_id: 'crma' }, { status: 'removed' }, { generation: 2 }, { remote_id: 'T0ELSEWHERE' }];
  for (const change of others) expect([change, await isCurrentWith(change)]).toEqual([change, false]);
});
