import { describe, expect, it } from '@jest/globals';
import { decode } from '@vaultsvc/contracts';
import { SparkContent } from '@vaultsvc/contracts/sparks';
import { accountContext, outboxEvents, reasonOf } from '@vaultsvc/testing/harness';
import { repeatUntilFasterThan, timed } from '@vaultsvc/testing/waiting';
import fc from 'fast-check';
import { usePlatform } from '../testing/platform.js';
import { BurnRepository } from './burning/burn.repository.js';
import { ExpireSparks } from './expire-sparks.job.js';
import { OptimisticBurn } from './optimistic-burn.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });

const caller = accountContext();
const stranger = accountContext();
const create = (body: object, context = caller) => platform.create(body, context);
const read = (id: string, context = caller) => platform.read(id, context);

describe('GET /v1/sparks/{spark_id}', () => {
  it('SPK-25: returns the content with its metadata', async () => {
    const created = await create({
      payload: 'the secret',
      content_type: 'text/markdown',
      filename: 'note.md',
    });
    const { result: content, from, to } = await timed(() => read(created.spark_id));
    expect(content).toEqual({
      spark_id: created.spark_id,
      payload: 'the secret',
      content_type: 'text/markdown',
      filename: 'note.md',
      size_bytes: 10,
      status: 'ash',
      created_at: created.created_at,
      burned_at: expect.any(Number),
      was_active: true,
    });
    expect(content.burned_at).toBeGreaterThanOrEqual(from);
    expect(content.burned_at).toBeLessThanOrEqual(to);
    expect(decode(SparkContent, content)).toMatchObject(content);
  });

  it('SPK-25: returns a null filename for a Spark without one', async () => {
    const { spark_id } = await create({ payload: 'x' });
    expect(await read(spark_id)).toHaveProperty('filename', null);
  });

  it('SPK-26: returns any text unchanged, NUL and emoji included', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '\u0000', '👩‍👩‍👧‍👦', '\r\n'),
    );
    await fc.assert(
      fc.asyncProperty(text, async (payload) => {
        const { spark_id, size_bytes } = await create({ payload });
        expect(size_bytes).toBe(Buffer.byteLength(payload));
        expect((await read(spark_id)).payload).toBe(payload);
      }),
      { numRuns: 60 },
    );
  });

  it('SPK-26: returns any bytes as the same base64', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const payload = Buffer.from(bytes).toString('base64');
        const { spark_id, size_bytes } = await create({ payload, content_type: 'application/octet-stream' });
        expect(size_bytes).toBe(bytes.length);
        expect((await read(spark_id)).payload).toBe(payload);
      }),
      { numRuns: 40 },
    );
  });

  it('SPK-27: answers the second and every later read with 403', async () => {
    const { spark_id } = await create({ payload: 'once' });
    await read(spark_id);
    expect(await reasonOf(read(spark_id))).toBe('SPARK_BURNED');
    expect(await reasonOf(read(spark_id))).toBe('SPARK_BURNED');
  });

  it('SPK-28: answers 403 for an expired unread Spark, before and after it is wiped', async () => {
    const { spark_id } = await create({ payload: 'late', ttl_minutes: 1 });
    await platform.age(spark_id, '61 seconds');
    expect(await reasonOf(read(spark_id))).toBe('SPARK_EXPIRED');
    await platform.service.context.get(ExpireSparks).run();
    expect(await reasonOf(read(spark_id))).toBe('SPARK_EXPIRED');
  });

  it('SPK-28: reads a Spark until the last second before its expiry', async () => {
    const reason = await repeatUntilFasterThan(1, async () => {
      const { spark_id } = await create({ payload: 'just in time', ttl_minutes: 1 });
      await platform.age(spark_id, '59 seconds');
      return reasonOf(read(spark_id));
    });
    expect(reason).toBe('none');
  });

  it('SPK-29: answers 404 only for an id that never existed', async () => {
    expect(await reasonOf(read(`spk_${'0'.repeat(22)}`))).toBe('SPARK_NOT_FOUND');
  });
});

describe('the callers that may read a Spark', () => {
  it('SPK-34 AMB-06: exclude other accounts, which get 404 and do not burn it', async () => {
    const { spark_id } = await create({ payload: 'mine' });
    expect(await reasonOf(read(spark_id, stranger))).toBe('SPARK_NOT_FOUND');
    expect(await read(spark_id)).toMatchObject({ payload: 'mine' });
    expect(await reasonOf(read(spark_id, stranger))).toBe('SPARK_NOT_FOUND');
  });

  it('SPK-35: are all accounts for a Spark of a kindling, once', async () => {
    const { spark_id } = await create({ payload: 'shared', with_kindling: true });
    expect(await read(spark_id, stranger)).toMatchObject({ payload: 'shared' });
    expect(await reasonOf(read(spark_id))).toBe('SPARK_BURNED');
  });

  it('OPEN-58: are in the event beside the owner, since one pays bandwidth and the other storage', async () => {
    const { spark_id } = await create({ payload: 'four', with_kindling: true });
    await read(spark_id, stranger);
    const rows = await outboxEvents(
      platform.service,
      { spark_id },
      { name: 'sparks.read', columns: ['account_id', 'request_id', 'payload'] },
    );
    const { accountId, credentialId } = stranger.credential;
    const payload = {
      spark_id,
      account_id: caller.credential.accountId,
      size_bytes: 4,
      actor_type: 'api_key',
      actor_id: credentialId,
      reader_account_id: accountId,
    };
    expect(rows).toEqual([{ account_id: accountId, request_id: stranger.requestId, payload }]);
  });

  it.each([
    ['a small Spark', { payload: 'four' }],
    ['a large Spark', { payload: 'x'.repeat(40_000) }],
    ['a Spark of a kindling', { payload: 'four', with_kindling: true }],
  ])('OPEN-28: name the integration that acts for them, as creator and reader of %s', async (_, spark) => {
    const actor = { kind: 'app', id: 'chatapp', app: 'chatapp', team: 'T1', person: 'U0ADA' } as const;
    const app = accountContext({ ...caller.credential, actor });
    const { spark_id } = await platform.create(spark, app);
    await read(spark_id, app);
    const events = await outboxEvents(platform.service, { spark_id }, { columns: ['name', 'payload'] });
    const { credentialId: actor_id } = caller.credential;
    const named = { actor_type: 'api_key', actor_id, actor };
    expect(events.filter(({ name }) => name !== 'sparks.sparklink-created')).toMatchObject([
      { name: 'sparks.created', payload: named },
      { name: 'sparks.read', payload: named },
    ]);
  });
});

describe('the read lock', () => {
  const lock = (id: string, secondsOld: number) =>
    platform.sql(
      `UPDATE sparks SET status = 'reading', lock_token = gen_random_uuid(), locked_at = clock_timestamp() - make_interval(secs => $2) WHERE id = $1`,
      [id, secondsOld],
    );

  it('SPK-30 SPK-31: answers another reader with 409', async () => {
    const readOfLocked = (secondsOld: number) => async () => {
      const { spark_id } = await create({ payload: 'held' });
      await lock(spark_id, secondsOld);
      return reasonOf(read(spark_id));
    };
    expect(await readOfLocked(0)()).toBe('SPARK_READ_IN_FLIGHT');
    expect(await repeatUntilFasterThan(1, readOfLocked(29))).toBe('SPARK_READ_IN_FLIGHT');
  });

  it('SPK-30 SPK-34: is not needed for a small unread Spark of the caller, which is found at once, as no other is', async () => {
    const optimistic = platform.service.context.get(OptimisticBurn);
    const found = async (id: string, context = caller) => (await optimistic.find(id, context))?.id;
    const idOf = async (body: object) => (await create(body)).spark_id;
    const small = await idOf({ payload: 'x' });
    expect([await found(small), await found(small, stranger)]).toEqual([small, undefined]);
    const [large, expired] = [
      await idOf({ payload: 'x'.repeat(32_769) }),
      await idOf({ payload: 'x', ttl_minutes: 1 }),
    ];
    const [locked, burned] = [await idOf({ payload: 'x' }), await idOf({ payload: 'x' })];
    await platform.age(expired, '61 seconds');
    await lock(locked, 0);
    await read(burned);
    for (const id of [large, expired, locked, burned]) expect(await found(id)).toBeUndefined();
  });

  it('SPK-32: is stale after 30 seconds, and the next reader claims the Spark', async () => {
    const { spark_id } = await create({ payload: 'left behind' });
    await lock(spark_id, 31);
    expect(await read(spark_id)).toMatchObject({ payload: 'left behind' });
  });

  it('SPK-32 AMB-52: lets only its last owner burn when two readers have decrypted the content', async () => {
    const burns = platform.service.context.get(BurnRepository);
    const { accountId } = caller.credential;
    const { spark_id } = await create({ payload: 'contested' });
    const slow = await burns.claimForReading(spark_id, accountId);
    await platform.ageLock(spark_id, '31 seconds');
    const quick = await burns.claimForReading(spark_id, accountId);
    expect(await reasonOf(burns.burn(slow, caller))).toBe('SPARK_BURNED');
    await burns.release(slow);
    expect(await reasonOf(read(spark_id))).toBe('SPARK_READ_IN_FLIGHT');
    expect(await burns.burn(quick, caller)).toEqual(expect.any(Number));
    expect(await reasonOf(burns.burn(quick, caller))).toBe('SPARK_BURNED');
  });

  it('SPK-32: is released at once for a damaged row, which discloses nothing', async () => {
    const { spark_id } = await create({ payload: 'damaged' });
    await platform.sql(`UPDATE sparks SET content_type = 'text/html' WHERE id = $1`, [spark_id]);
    expect(await reasonOf(read(spark_id))).toBe('INTERNAL_ERROR');
    await platform.sql(`UPDATE sparks SET content_type = 'text/plain' WHERE id = $1`, [spark_id]);
    expect(await read(spark_id)).toMatchObject({ payload: 'damaged' });
  });

  it('SPK-50: does not help a row whose associated data was changed: it cannot be opened', async () => {
    const { spark_id } = await create({ payload: 'bound', with_kindling: true });
    for (const change of [
      `account_id = 'acc_${'0'.repeat(22)}'`,
      `kindling = 'kdl_${'0'.repeat(22)}'`,
      `content_type = 'image/png'`,
      `kid = '2000010100'`,
    ]) {
      const [before] = await platform.sql(
        `SELECT account_id, kindling, content_type, kid FROM sparks WHERE id = $1`,
        [spark_id],
      );
      await platform.sql(`UPDATE sparks SET ${change} WHERE id = $1`, [spark_id]);
      expect([change, await reasonOf(read(spark_id))]).toEqual([change, 'INTERNAL_ERROR']);
      const values = [spark_id, ...Object.values(before as object)];
      await platform.sql(
        `UPDATE sparks SET account_id = $2, kindling = $3, content_type = $4, kid = $5 WHERE id = $1`,
        values,
      );
    }
    expect(await read(spark_id)).toMatchObject({ payload: 'bound' });
  });

  it('SPK-33 SPK-50: ends with a burned row without key and ciphertext, which a CHECK constraint enforces', async () => {
    const { spark_id } = await create({ payload: 'gone' });
    await read(spark_id);
    const [row] = await platform.sql(
      `SELECT status, burned_at IS NOT NULL AS burned, wrapped_dek, ciphertext, lock_token FROM sparks WHERE id = $1`,
      [spark_id],
    );
    expect(row).toEqual({
      status: 'ash',
      burned: true,
      wrapped_dek: null,
      ciphertext: null,
      lock_token: null,
    });
    await expect(
      platform.sql(`UPDATE sparks SET ciphertext = '\\x00' WHERE id = $1`, [spark_id]),
    ).rejects.toThrow('ash_holds_nothing');
  });
});
