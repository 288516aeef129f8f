import { beforeAll, describe, expect, it } from '@jest/globals';
import * as notify from '@vaultsvc/contracts/notify';
import { rowsOf } from '@vaultsvc/testing/harness';
import { api, succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newSend } from '../access/notify-samples.js';
import { newTenant, type Tenant } from '../access/tenant.js';

const platform = usePlatform();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant(platform);
});

const send = (changes: object, client = tenant.key) =>
  client.call(notify.sendNotification, { body: { ...newSend(), ...changes } as never });

const people = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`);

describe('NTF-02 NTF-09 NTF-11 NTF-13 NTF-14 NTF-19 OPEN-02 OPEN-64: a send with', () => {
  it.each<[string, object, string]>([
    ['no recipients', { recipients: undefined }, 'recipients'],
    ['an empty list of recipients', { recipients: [] }, 'recipients'],
    ['501 recipients', { recipients: people(501) }, 'recipients'],
    ['an unknown channel', { channels: ['fax'] }, 'channels'],
    ['an unknown interaction', { policy: { interaction: 'notarize' } }, 'policy.interaction'],
    ['an unknown level', { policy: { verification_level: 'blood' } }, 'policy.verification_level'],
    ...[0, -1, 1.5].map((minutes): [string, object, string] => [
      `a freshness of ${minutes}`,
      { policy: { reveal_freshness_minutes: minutes } },
      'policy.reveal_freshness_minutes',
    ]),
    ['decreasing delays', { escalation: { delays: [0, 60, 30] } }, 'escalation.delays'],
    ['a text as its history', { history_ttl_days: 'long' }, 'history_ttl_days'],
    ['a category of 65 characters', { category: 'x'.repeat(65) }, 'category'],
    ['a category of two lines', { category: 'a\nb' }, 'category'],
  ])('%s is refused, and the answer names the field', async (_, changes, field) => {
    const answer = await send(changes);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer)).toContain(`"${field}"`);
  });

  it.each<[string, object]>([
    ['500 recipients', { recipients: people(500) }],
    ['freshness null', { policy: { reveal_freshness_minutes: null } }],
    ['a freshness of two days', { policy: { reveal_freshness_minutes: 2_880 } }],
    ['the greatest freshness', { policy: { reveal_freshness_minutes: 2_147_483_647 } }],
    ['a category in capitals', { category: 'Invoices' }],
    ['a category in words', { category: 'Rechnungen für März' }],
    ['null as its policy, escalation and channels', { policy: null, escalation: null, channels: null }],
    ['null as its ingot', { ingot: null }],
    ['a first delay that is not 0', { escalation: { delays: [30, 60] } }],
    ...['view', 'acknowledge', 'sign', 'approve', 'reply'].map((interaction): [string, object] => [
      `the interaction ${interaction}`,
      { policy: { interaction } },
    ]),
  ])('%s is accepted', async (_, changes) => {
    expect((await send(changes)).status).toBe(202);
  });
});

describe('NTF-01 NTF-17 NTF-18 NTF-22: an accepted send', () => {
  it('counts its distinct recipients, is pending and new', async () => {
    const recipients = ['ada@example.test', 'ADA@example.test', { email: 'ada@example.test', id: 'ada' }];
    const sent = succeeded(await send({ recipients, send_id: 'counted' }));
    expect(sent).toEqual({ send_id: 'counted', recipients: 1, status: 'pending', idempotent: false });
  });

  it('OPEN-64: shows title, category and type without opening a link, the category as it was sent', async () => {
    const shown = { title: 'Your contract', category: 'Contracts', type: 'contract' };
    const { send_id } = succeeded(await send(shown));
    const read = await tenant.key.call(notify.readSend, { params: { send_id } });
    expect(succeeded(read)).toMatchObject({ ...shown, seen: 0 });
  });

  it('belongs to the account of the credential, and needs one', async () => {
    expect((await send({}, api(platform.url))).status).toBe(401);
    const { send_id } = succeeded(await send({}, tenant.owner));
    const read = await tenant.key.call(notify.readSend, { params: { send_id } });
    expect(succeeded(read)).toMatchObject({ send_id });
  });
});

describe('OPEN-02 OPEN-03: the answer to a send', () => {
  it('is 202 with the pools before the call', async () => {
    const { status, meta } = await eventually(
      () => send({}),
      (answer) => 'pools' in (answer.meta ?? {}),
    );
    expect(status).toBe(202);
    const figures = { used: expect.any(Number), limit: expect.any(Number), state: 'ok' };
    expect(meta).toMatchObject({ pools: { storage: figures, bandwidth: figures } });
  });

  it('OPEN-32 ENV-44: is 429 with Retry-After once the hourly budget is spent', async () => {
    const own = await newTenant(platform);
    await rowsOf(
      platform.sparks,
      `INSERT INTO message_counts (hour, account_id, channel, count)
       SELECT date_trunc('hour', now(), 'UTC') + n * interval '1 hour', $1, 'other', 50000 FROM generate_series(0, 1) AS n`,
      [own.accountId],
    );
    const answer = await send({}, own.key);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.error?.details).toMatchObject({ limit: 50_000, used: 50_000 });
  });

  it('OPEN-32: is 402 once the storage of the account is used up, and nothing is sealed', async () => {
    const own = await newTenant(platform);
    await send({}, own.key);
    await rowsOf(platform.reporting, `UPDATE pools SET storage_limit = 1 WHERE account_id = $1`, [
      own.accountId,
    ]);
    await eventually(
      () => send({}, own.key),
      (answer) => answer.status === 402,
    );
    const stored = () =>
      rowsOf<{ count: number }>(
        platform.sparks,
        `SELECT count(*)::int AS count FROM sparks WHERE account_id = $1`,
        [own.accountId],
      );
    const before = await stored();
    const refused = await send({}, own.key);
    expect([refused.status, refused.error?.details]).toMatchObject([
      402,
      { resource: 'storage', action_required: 'add_storage_block' },
    ]);
    expect(await stored()).toEqual(before);
  });
});

describe('NTF-24: the content', () => {
  it('is sealed whatever properties a request has', async () => {
    const content = { payload: 'sealed canary' };
    const { send_id } = succeeded(await send({ content, plaintext: true, mode: 'plaintext', sealed: false }));
    const { recipient_states } = succeeded(await tenant.key.call(notify.readSend, { params: { send_id } }));
    expect(recipient_states).toMatchObject([{ grant: 'active', link_url: expect.stringMatching(/^http/) }]);
    const rows = await rowsOf(platform.notify, 'SELECT to_jsonb(s) FROM sends s WHERE send_id = $1', [
      send_id,
    ]);
    expect(JSON.stringify([recipient_states, rows])).not.toContain('canary');
  });
});

describe('NTF-33 NTF-37: the inbox', () => {
  it('lists the sends of the account alone, newest first, each once over all pages', async () => {
    const [sender, addressee] = [await newTenant(platform), await newTenant(platform)];
    const sendIds: string[] = [];
    for (const index of [1, 2, 3])
      sendIds.push(succeeded(await send({ send_id: `listed-${index}` }, sender.key)).send_id);
    const pages: string[][] = [];
    for (let cursor: string | undefined; ;) {
      const query = { limit: 2, ...(cursor && { cursor }) };
      const page = succeeded(await sender.key.call(notify.listSends, { query }));
      pages.push(page.sends.map(({ send_id }) => send_id));
      cursor = page.next_cursor;
      if (!page.has_more) break;
    }
    expect(pages).toEqual([['listed-3', 'listed-2'], ['listed-1']]);
    const other = await addressee.key.call(notify.listSends, { query: { limit: 50 } });
    expect(succeeded(other)).toMatchObject({ sends: [], count: 0, has_more: false });
  });

  it.each(['0', '101', 'x'])('refuses the limit %s', async (limit) => {
    const answer = await tenant.key.call(notify.listSends, { query: { limit } as never });
    expect(answer.status).toBe(400);
  });
});
