import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { decode, type AccountContext } from '@vaultsvc/contracts';
import { addOneTimeLink, deliverLink, describeMessage, LinkMessage } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { newId } from '@vaultsvc/crypto/encoding';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import type { RunningService } from '@vaultsvc/service';
import { accountContext, internalContext, reasonOf, rowsOf, stopSchedule } from '@vaultsvc/testing/harness';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { PurgeMessages } from './purge-messages.job.js';
import { linksOf } from '../testing/links.js';
import { usePlatform } from '../testing/platform.js';
import { LinkMessageQueue } from './link-message-queue.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let links: ReturnType<typeof linksOf>;
let authService: RunningService;
let owner: AccountContext;
let organization: string;
let email: string;

beforeAll(async () => {
  await stopSchedule(platform.service);
  links = linksOf(platform);
  authService = await platform.harness.start(auth, { LOG_LEVEL: 'silent' });
});

/** A Spark of a new account, shared with Ann, and her invitation. */
async function invited() {
  const account = await newAccount(authService);
  owner = accountContext(account);
  email = account.email;
  const [row] = await rowsOf<{ name: string }>(
    authService,
    `SELECT organization_name AS name FROM accounts WHERE id = $1`,
    [account.accountId],
  );
  organization = row?.name as string;
  const { spark_id } = await platform.create({ payload: 'x' }, owner);
  const share = await links.share(
    spark_id,
    { visibility: 'invite_only', invites: ['ann@example.test'] },
    owner,
  );
  return { spark_id, share, message_id: await newest() };
}
const newest = async () => {
  const enqueuedMessages = await links.enqueuedMessages(owner.credential.accountId);
  return enqueuedMessages.at(-1)?.payload['message_id'] as string;
};
const describeIt = (message_id: string) =>
  platform.harness.bus.call(describeMessage, { body: { message_id } }, internalContext());

describe('describeMessage', () => {
  it('SPK-41: returns recipient, sender and link of an invitation', async () => {
    const { spark_id, share, message_id } = await invited();
    const message = await describeIt(message_id);
    expect(message).toEqual({
      kind: 'invitation',
      channel: 'email',
      to: 'ann@example.test',
      link_type: 'spark',
      asset_id: spark_id,
      identity: null,
      organization_name: organization,
      link_url: share.share_url,
      code: null,
      expires_at: share.expires_at,
    });
    expect(decode(LinkMessage, message)).toEqual(message);
  });

  it('SHR-14: returns the link and its expiry for a delivery', async () => {
    const { account_id, ...place } = {
      account_id: newId('acc_'),
      vault_id: newId('vlt_'),
      ingot_id: newId('ing_'),
    };
    const link_code = mintLinkCode();
    const expires_at = Math.floor(Date.now() / 1_000) + 300;
    const actor = { actor_type: 'api_key', actor_id: 'key_1' } as const;
    const body = { account_id, ...place, link_id: randomUUID(), link_code, expires_at, ...actor };
    await platform.harness.bus.call(addOneTimeLink, { body }, internalContext());
    const delivery = { account_id, ...place, link_code, identity: '+4930123456' };
    await platform.harness.bus.call(deliverLink, { body: delivery }, internalContext());
    owner = accountContext({ accountId: account_id });
    expect(await describeIt(await newest())).toEqual({
      kind: 'delivery',
      channel: 'phone',
      to: '+4930123456',
      link_type: 'ingot',
      asset_id: place.ingot_id,
      identity: null,
      organization_name: '',
      link_url: `http://127.0.0.1:8082/${link_code}`,
      code: null,
      expires_at,
    });
  });

  it('OPEN-25: returns the locked out identity for the owner, and neither link nor code', async () => {
    const { spark_id } = await invited();
    const [link] = await platform.sql<{ id: string }>(`SELECT id FROM sparklinks WHERE asset_id = $1`, [
      spark_id,
    ]);
    const about = { linkId: link?.id as string, accountId: owner.credential.accountId };
    const messages = platform.service.context.get(LinkMessageQueue);
    const message = await messages.seal({ ...about, kind: 'lockout', identity: '+4930123456' });
    const until = Math.floor(Date.now() / 1_000) + 86_400;
    await platform.service.context
      .get(Database)
      .transaction((tx) => messages.enqueueUncounted(tx, message, null, until));
    expect(await describeIt(await newest())).toEqual({
      kind: 'lockout',
      channel: 'email',
      to: email,
      link_type: 'spark',
      asset_id: spark_id,
      identity: '+4930123456',
      organization_name: organization,
      link_url: null,
      code: null,
      expires_at: until,
    });
  });

  it('OPEN-25: returns the code and its expiry, and no link, for a code', async () => {
    const { spark_id } = await invited();
    const [link] = await platform.sql<{ id: string }>(`SELECT id FROM sparklinks WHERE asset_id = $1`, [
      spark_id,
    ]);
    const expiresAt = Math.floor(Date.now() / 1_000) + 600;
    const due = { linkId: link?.id as string, accountId: owner.credential.accountId, code: '012345' };
    const messages = platform.service.context.get(LinkMessageQueue);
    const message = await messages.seal({ ...due, kind: 'code', identity: 'ann@example.test' });
    await platform.service.context
      .get(Database)
      .transaction((tx) => messages.enqueue(tx, [message], null, expiresAt));
    expect(await describeIt(await newest())).toMatchObject({
      kind: 'code',
      to: 'ann@example.test',
      code: '012345',
      link_url: null,
      expires_at: expiresAt,
    });
  });
});

describe('describeMessage of an obsolete message', () => {
  it.each([
    ['its invite was withdrawn', (id: string) => links.share(id, { visibility: 'invite_only' }, owner)],
    ['the link is public', (id: string) => links.share(id, {}, owner)],
    ['the link was withdrawn', (id: string) => links.unshare(id, owner)],
    ['the Spark was deleted', (id: string) => platform.remove(id, owner)],
    [
      'the link was opened',
      (id: string) =>
        platform.sql(`UPDATE sparklinks SET status = 'consumed', consumed_at = now() WHERE asset_id = $1`, [
          id,
        ]),
    ],
    [
      'the link has expired',
      (id: string) => platform.sql(`UPDATE sparklinks SET expires_at = now() WHERE asset_id = $1`, [id]),
    ],
    ['it is too old', () => platform.sql(`UPDATE link_messages SET expires_at = now()`)],
  ])(
    'SPK-41: answers LINK_NOT_FOUND for an invitation once %s',
    async (_, change: (id: string) => Promise<unknown>) => {
      const { spark_id, message_id } = await invited();
      await describeIt(message_id);
      await change(spark_id);
      expect(await reasonOf(describeIt(message_id))).toBe('LINK_NOT_FOUND');
    },
  );

  it('answers LINK_NOT_FOUND for an id that was never enqueued', async () => {
    expect(await reasonOf(describeIt(randomUUID()))).toBe('LINK_NOT_FOUND');
  });

  it('MISC-03: finds it deleted by PurgeMessages, which keeps messages still to be sent', async () => {
    const { message_id } = await invited();
    const old = (await invited()).message_id;
    await platform.sql(`UPDATE link_messages SET expires_at = now() WHERE id = $1`, [old]);
    await platform.service.context.get(PurgeMessages).run();
    const kept = await platform.sql(`SELECT id FROM link_messages WHERE id = ANY($1)`, [[message_id, old]]);
    expect(kept).toEqual([{ id: message_id }]);
  });
});
