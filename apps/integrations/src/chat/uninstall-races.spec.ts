import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import { disconnectChatapp } from '@vaultsvc/contracts/integrations';
import { listSparks, SparkListQuery } from '@vaultsvc/contracts/sparks';
import { reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { BackgroundWork } from '../background-work.js';
import { ChatWorkspace } from '../testing/chat-workspace.js';
import { useIntegrations } from '../testing/integrations-platform.js';
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
