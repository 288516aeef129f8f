import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  deletePushToken,
  listPushTokens,
  registerPushToken,
  type NewPushToken,
} from '@vaultsvc/contracts/notify';
import { SealedTexts } from '@vaultsvc/crypto/data-keys';
import { stopSchedule } from '@vaultsvc/testing/harness';
import { useSendPlatform } from '../testing/send-platform.js';
import { PushTokenRepository } from './push-token.repository.js';
import { RehashSubscriptions } from './rehash-subscriptions.job.js';

const platform = useSendPlatform();
let caller: AccountContext;
beforeAll(async () => {
  await stopSchedule(platform.notify);
  caller = await platform.newCaller();
});

const p256dh = (first: number) =>
  Buffer.concat([Buffer.from([4, first]), Buffer.alloc(63)]).toString('base64url');
const keys = { p256dh: p256dh(1), auth: Buffer.alloc(16).toString('base64url') };
const endpoint = (name: string) => `https://push.example.com/send/${name}`;

const register = (token: object | string, recipient_id: string, changes: Partial<NewPushToken> = {}) => {
  const text = typeof token === 'string' ? token : JSON.stringify(token);
  const body = { platform: 'web' as const, token: text, recipient_id, ...changes };
  return platform.harness.bus.call(registerPushToken, { body }, caller);
};
const list = async (recipient_id: string) =>
  (await platform.harness.bus.call(listPushTokens, { query: { recipient_id } }, caller)).push_tokens;
const devicesOf = (recipient: string) =>
  platform.notify.context
    .get(PushTokenRepository)
    .devicesOf(caller.credential.accountId, `id:${recipient}`, ['web']);

describe('NTF-40: the push token of a browser', () => {
  it('is one for its endpoint: of its latest registration, and its last person', async () => {
    const first = await register({ endpoint: endpoint('a'), keys }, 'ann');
    const reordered = await register({ keys, expirationTime: null, endpoint: endpoint('a') }, 'ann');
    const rekeyed = { endpoint: 'https://PUSH.example.com:443/send/a', keys: { ...keys, p256dh: p256dh(2) } };
    const second = await register(rekeyed, 'bob');
    expect([reordered.push_token_id, second.push_token_id]).toEqual([
      first.push_token_id,
      first.push_token_id,
    ]);
    expect(await list('ann')).toEqual([]);
    expect(await devicesOf('ann')).toEqual([]);
    expect(await list('bob')).toHaveLength(1);
    expect(await devicesOf('bob')).toMatchObject([{ token: JSON.stringify(rekeyed) }]);
  });

  it('is another for another endpoint, whose case matters', async () => {
    await register({ endpoint: endpoint('b'), keys }, 'cid');
    await register({ endpoint: endpoint('B'), keys }, 'cid');
    expect(await list('cid')).toHaveLength(2);
  });

  it('is another than that of an app of the same person, which gets other messages', async () => {
    await register('token-of-her-app', 'pia', { platform: 'fcm' });
    await register({ endpoint: endpoint('k'), keys }, 'pia');
    expect(await devicesOf('pia')).toMatchObject([{ platform: 'web' }]);
  });

  it('gets messages as one of the ten that its person has registered last', async () => {
    for (let i = 0; i < 11; i++) await register({ endpoint: endpoint(`m${i}`), keys }, 'uma');
    const tokens = (await devicesOf('uma')).map(({ token }) => JSON.parse(token) as { endpoint: string });
    expect(tokens.map((token) => token.endpoint)).toEqual(
      Array.from({ length: 10 }, (_, i) => endpoint(`m${10 - i}`)),
    );
  });

  it('of an app is its registration token', async () => {
    const first = await register('token-of-an-app', 'dan', { platform: 'fcm' });
    const second = await register('token-of-an-app', 'eve', { platform: 'android' });
    expect(second.push_token_id).toBe(first.push_token_id);
    expect(await list('dan')).toEqual([]);
  });
});

describe('NTF-40 ENV-41: deleting a push token', () => {
  const remove = (push_token_id: string, context = caller) =>
    platform.harness.bus.call(deletePushToken, { params: { push_token_id } }, context);

  it('leaves the other devices of the person and of the account', async () => {
    const [gone, ...kept] = [
      await register({ endpoint: endpoint('g'), keys }, 'mia'),
      await register({ endpoint: endpoint('h'), keys }, 'mia'),
      await register({ endpoint: endpoint('i'), keys }, 'ned'),
    ];
    await remove(gone?.push_token_id as string);
    const left = [...(await list('mia')), ...(await list('ned'))].map(({ push_token_id }) => push_token_id);
    expect(left).toEqual(kept.map(({ push_token_id }) => push_token_id));
  });

  it('knows neither a deleted one nor that of another account', async () => {
    const { push_token_id } = await register({ endpoint: endpoint('j'), keys }, 'oda');
    const unknown = { code: 'NOT_FOUND', status: 404 };
    await expect(remove(push_token_id, await platform.newCaller())).rejects.toMatchObject(unknown);
    await remove(push_token_id);
    await expect(remove(push_token_id)).rejects.toMatchObject(unknown);
  });
});

/** Stores a subscription as releases before did: found by the hash of its text. */
async function storeFormer(id: string, recipient: string, token: string, minutesAgo: number): Promise<void> {
  const { accountId } = caller.credential;
  const hash = createHash('sha256').update(token).digest();
  const text = await platform.notify.context.get(SealedTexts).seal([accountId, hash.toString('hex')], token);
  await platform.sql(
    `INSERT INTO push_tokens (id, account_id, directory_key, platform, recipient_id, token_hash, token_ending, data_key_id, sealed, created_at)
     VALUES ($1, $2, $3, 'web', $4, $5, 'ending', $6, $7, now() - $8 * interval '1 minute')`,
    [id, accountId, `id:${recipient}`, recipient, hash, text.data_key_id, text.sealed, minutesAgo],
  );
}

describe('NTF-40: the push tokens of former releases', () => {
  const text = (name: string, first: number) =>
    JSON.stringify({ endpoint: endpoint(name), keys: { ...keys, p256dh: p256dh(first) } });

  it('of one endpoint become one, the latest, and are found when the browser registers again', async () => {
    await storeFormer('ptk_old1', 'fay', text('c', 1), 30);
    await storeFormer('ptk_old2', 'gus', text('c', 2), 20);
    await storeFormer('ptk_old3', 'fay', text('c', 3), 25);
    await storeFormer('ptk_other', 'fay', text('d', 1), 40);
    await platform.notify.context.get(RehashSubscriptions).run();
    expect((await list('fay')).map(({ push_token_id }) => push_token_id)).toEqual(['ptk_other']);
    expect((await list('gus')).map(({ push_token_id }) => push_token_id)).toEqual(['ptk_old2']);
    expect(await devicesOf('gus')).toMatchObject([{ token: text('c', 2) }]);
    expect(await register({ endpoint: endpoint('c'), keys }, 'hal')).toMatchObject({
      push_token_id: 'ptk_old2',
    });
  });

  it('that an older instance stores during a rollout replace an earlier one, and not a later one', async () => {
    await register({ endpoint: endpoint('e'), keys }, 'ida');
    await storeFormer('ptk_before', 'jon', text('e', 1), 5);
    await register({ endpoint: endpoint('l'), keys }, 'ray'); // later than both, at another endpoint
    await register({ endpoint: endpoint('f'), keys }, 'kim');
    await platform.sql(
      `UPDATE push_tokens SET created_at = now() - interval '9 minutes' WHERE recipient_id = 'kim'`,
    );
    await storeFormer('ptk_after', 'lea', text('f', 1), 4);
    await platform.notify.context.get(RehashSubscriptions).run();
    expect([(await list('ida')).length, (await list('jon')).length]).toEqual([1, 0]);
    expect([(await list('kim')).length, (await list('lea')).length]).toEqual([0, 1]);
  });
});
