import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decode, type AccountContext } from '@vaultsvc/contracts';
import { createSpark, NewSpark, type CreatedSpark } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { accountContext, deadlineIn, reasonOf, waitersWith } from '@vaultsvc/testing/harness';
import { sparks } from '../service-definition.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
const caller = accountContext();

/** The caller with an Idempotency-Key, a new one by default. */
const withKey = (idempotencyKey: string = randomUUID(), of: AccountContext = caller): AccountContext =>
  Object.defineProperties({} as AccountContext, {
    ...Object.getOwnPropertyDescriptors(of),
    idempotencyKey: { value: idempotencyKey, enumerable: true },
    deadlineMs: { value: deadlineIn(60), enumerable: true }, // for a busy machine
  });
/** The reply as bytes, and whether it is a repetition. */
const create = async (body: Partial<NewSpark>, context: AccountContext) => {
  const bytes = Buffer.from(JSON.stringify(decode(NewSpark, body)));
  const { reply, isReplayed } = await platform.harness.bus.forward(createSpark, {}, bytes, context);
  return { text: Buffer.from(reply).toString(), isReplayed };
};
const idOf = ({ text }: { text: string }) => (JSON.parse(text) as CreatedSpark).spark_id;
const sparksOf = (context: AccountContext) =>
  platform.sql<{ id: string }>('SELECT id FROM sparks WHERE account_id = $1', [context.credential.accountId]);
const keyRows = () => platform.sql('SELECT * FROM idempotency_keys');

describe('OPEN-67: a request to create a Spark with an Idempotency-Key', () => {
  it('is carried out once, and its repetitions get the same bytes', async () => {
    const context = withKey(undefined, accountContext());
    const first = await create({ payload: 'once' }, context);
    const again = await create({ payload: 'once' }, context);
    expect(first.isReplayed).toBe(false);
    expect(again).toEqual({ text: first.text, isReplayed: true });
    expect((await sparksOf(context)).map(({ id }) => id)).toEqual([idOf(first)]);
  });

  it('publishes one event', async () => {
    const context = withKey(undefined, accountContext());
    const { spark_id } = JSON.parse((await create({ payload: 'x' }, context)).text) as CreatedSpark;
    await create({ payload: 'x' }, context);
    const events = await platform.sql(`SELECT 1 FROM recorded_events WHERE payload->>'spark_id' = $1`, [
      spark_id,
    ]);
    expect(events).toHaveLength(1);
  });

  it('is refused with other content, which changes nothing', async () => {
    const context = withKey(undefined, accountContext());
    await create({ payload: 'one' }, context);
    for (const other of [{ payload: 'two' }, { payload: 'one', ttl_minutes: 5 }])
      expect(await reasonOf(create(other, context))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await sparksOf(context)).toHaveLength(1);
  });

  it('creates one Spark for twenty requests at once, over two instances; the others repeat it or are told to', async () => {
    const second = await platform.harness.start(sparks, { LOG_LEVEL: 'silent' });
    const context = withKey(undefined, accountContext());
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        create({ payload: 'race' }, context).then(idOf, (error: { reason: string }) => error.reason),
      ),
    );
    const [stored] = await sparksOf(context);
    expect(await sparksOf(context)).toHaveLength(1);
    expect(outcomes).toContain(stored?.id);
    for (const outcome of outcomes) expect([stored?.id, 'IDEMPOTENCY_KEY_IN_USE']).toContain(outcome);
    expect(idOf(await create({ payload: 'race' }, context))).toBe(stored?.id);
    await second.stop();
  });

  it('is independent of the keys of other accounts', async () => {
    const key = randomUUID();
    const [one, other] = [withKey(key, accountContext()), withKey(key, accountContext())];
    const created = [await create({ payload: 'mine' }, one), await create({ payload: 'theirs' }, other)];
    expect(created.map(({ isReplayed }) => isReplayed)).toEqual([false, false]);
  });

  it('does not use up the key when it fails', async () => {
    const context = withKey(undefined, accountContext());
    const kindling = 'kdl_0000000000000000000000';
    expect(await reasonOf(create({ payload: 'x', kindling }, context))).toBe('KINDLING_NOT_FOUND');
    expect((await create({ payload: 'other' }, context)).isReplayed).toBe(false);
  });

  it('MISC-08: that loses its connection before the commit creates nothing, and its repetition creates one', async () => {
    const context = withKey(undefined, accountContext());
    const { context: nest } = platform.service;
    const lost = await nest.get(Database).transaction(async (tx) => {
      // The row of the key cannot be inserted, so the call stands between its effect and its commit.
      await tx.manager.query('LOCK TABLE idempotency_keys IN EXCLUSIVE MODE');
      const outcome = reasonOf(create({ payload: 'crash' }, context));
      const pids = await waitersWith(platform.service, 'INSERT INTO idempotency_keys');
      await platform.sql('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid', [pids]);
      return outcome;
    });
    expect(lost).toBe('INTERNAL_ERROR');
    expect(await sparksOf(context)).toHaveLength(0);
    expect((await create({ payload: 'crash' }, context)).isReplayed).toBe(false);
    expect(await sparksOf(context)).toHaveLength(1);
  });

  it('is a new one after 24 hours', async () => {
    const context = withKey(undefined, accountContext());
    const first = await create({ payload: 'day' }, context);
    await platform.sql(`UPDATE idempotency_keys SET created_at = now() - interval '24 hours 1 second'`);
    const second = await create({ payload: 'day' }, context);
    expect(second.isReplayed).toBe(false);
    expect(idOf(second)).not.toBe(idOf(first));
    expect((await create({ payload: 'day' }, context)).text).toBe(second.text);
  });

  it('is refused with the id of a link Spark, whose reply held the link', async () => {
    const context = withKey(undefined, accountContext());
    const link = { payload: 'https://example.com/canary-destination', content_type: 'text/uri-list' };
    const first = await create(link, context);
    await expect(create(link, context)).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_SPENT',
      details: { spark_id: idOf(first) },
    });
  });

  it('MISC-03: leaves neither payload, nor link, nor key in the table', async () => {
    const secrets = ['canary-payload-7c1', 'https://example.com/canary-9f2', 'canary-key-5d3'];
    const [payload = '', url = '', key = ''] = secrets;
    await create({ payload }, withKey(key));
    const { text } = await create({ payload: url, content_type: 'text/uri-list' }, withKey(`${key}-2`));
    const { link_code } = JSON.parse(text) as CreatedSpark;
    const stored = JSON.stringify(await keyRows());
    for (const secret of [...secrets, String(link_code)]) expect(stored).not.toContain(secret);
  });

  it('and a Spark of more than a batch takes, is carried out once as well', async () => {
    const context = withKey(undefined, accountContext());
    const payload = 'x'.repeat(200_000);
    const first = await create({ payload }, context);
    expect((await create({ payload }, context)).text).toBe(first.text);
    expect(await sparksOf(context)).toHaveLength(1);
  });
});
