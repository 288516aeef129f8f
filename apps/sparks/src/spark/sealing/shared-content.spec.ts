import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewGrant } from '@vaultsvc/contracts/sparks';
import { openContent, openSplit } from '@vaultsvc/crypto/aead';
import { newId } from '@vaultsvc/crypto/encoding';
import { unwrapKey } from '@vaultsvc/crypto/wrap';
import { Database } from '@vaultsvc/database';
import { accountContext, fenceNow, outboxEvents, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { SparksConfig } from '../../config.js';
import { EpochKeys } from '../../epoch-keys/epoch-keys.js';
import { GrantRecallRepository } from '../../sharing/grant/grant-recall.repository.js';
import { restoreFence } from '../../restore-fence-steps.js';
import { sparks } from '../../service-definition.js';
import { SharedContentRepository } from './shared-content.repository.js';
import { SharedContentSealer } from './shared-content-sealer.js';
import { SparkSealer, type SealedSpark } from './spark-sealer.js';
import { ExpireSparks } from '../expire-sparks.job.js';
import { grantsOf, type Grant } from '../../testing/grants.js';
import { startPlatform, type Platform } from '../../testing/platform.js';

const caller = accountContext();
const accountId = caller.credential.accountId;
let platform: Platform;
let grants: ReturnType<typeof grantsOf>;
beforeAll(async () => {
  const settings = { LOG_LEVEL: 'silent' };
  platform = await startPlatform(settings);
  await stopSchedule(platform.service);
  await platform.harness.start(sparks, settings); // In the same queue group.
  grants = grantsOf(platform, caller);
});
afterAll(() => platform.harness.stop());

interface Content extends Record<string, unknown> {
  remaining: number;
  ciphertext: Buffer | null;
}

/** The contents of the send that these grants belong to. */
const contentsOf = ([{ link_id }]: readonly [NewGrant, ...NewGrant[]]) =>
  platform.sql<Content>(
    `SELECT remaining, ciphertext FROM shared_contents c JOIN link_policies p ON p.group_id = c.group_id WHERE p.link_id = $1`,
    [link_id],
  );
/** How many Sparks are left, and whether the ciphertext is there. */
const stateOf = async (minted: readonly [NewGrant, ...NewGrant[]]) => {
  const [content] = await contentsOf(minted);
  return content && [content.remaining, content.ciphertext !== null];
};
const three = () => grants.minted([null, null, null]) as unknown as Promise<[Grant, Grant, Grant]>;
const recall = (recalled: readonly NewGrant[]) => {
  const { context } = platform.service;
  const ids = {
    account_id: accountId,
    link_ids: recalled.map(({ link_id }) => link_id),
    spark_ids: recalled.map(({ spark_id }) => spark_id),
  };
  return context.get(Database).transaction((tx) => context.get(GrantRecallRepository).recall(tx, ids, null));
};

describe('the content of a send', () => {
  it('NTF-06: is sealed once, for account, send and type; each Spark has a half of its own, which opens its key', async () => {
    const minted = await three();
    const rows = await platform.sql<Row>(SPARKS, [minted.map(({ spark_id }) => spark_id)]);
    const [content, ...others] = await contentsOf(minted);
    expect([rows.length, others, content?.remaining]).toEqual([3, [], 3]);
    for (const { id, kid, wrapped_dek, ciphertext, group_id, size_bytes } of rows) {
      expect(size_bytes).toBe(7);
      const opened = await platform.service.context.get(EpochKeys).byId(kid, (epochKey) => {
        const bound = { ids: [accountId, id], attributes: [group_id, 'text/plain'] };
        const split = { half: wrapped_dek, sealed: ciphertext };
        const key = openSplit(epochKey, { label: 'vk/v1/shared-content-key', ...bound }, split);
        const fields = [accountId, group_id, 'text/plain'];
        return openContent(key, 'vk/v1/shared-content', fields, content?.ciphertext as Buffer).toString();
      });
      expect(opened).toBe('for you');
    }
  });

  it('NTF-06: is sealed for copies of 0.1 as they open it: a key of its own for each Spark wraps its key', async () => {
    const keys = platform.service.context.get(EpochKeys);
    const former = new SharedContentSealer(keys, { OLDEST_RELEASE: '0.1' } as SparksConfig);
    const send = { accountId, groupId: randomUUID(), contentType: 'text/plain' };
    const contentKey = randomBytes(32);
    const shared = former.sealContent(contentKey, send, Buffer.from('for you'));
    const [sealed] = (await former.wrapFor(['spk_A'], send, contentKey)) as [SealedSpark];
    const unwrapped = await keys.byId(sealed.kid, (epochKey) => {
      const ids = [accountId, 'spk_A'];
      const dek = unwrapKey(epochKey, 'vk/v1/epoch-key', ids, ['text/plain', ''], sealed.wrappedDek);
      const attributes = [send.groupId, 'text/plain'];
      return unwrapKey(dek, 'vk/v1/shared-content-key', ids, attributes, sealed.ciphertext);
    });
    expect(unwrapped.equals(contentKey)).toBe(true);
    const spark = { id: 'spk_A', accountId, contentType: 'text/plain', kindling: null };
    const current = platform.service.context.get(SharedContentSealer);
    expect((await current.open(spark, sealed, send.groupId, shared)).toString()).toBe('for you');
  });

  it('NTF-06: is no content of its own for an instance of the previous release, which opens no Spark of a send', async () => {
    const [grant] = await three();
    const [row] = await platform.sql<Row>(SPARKS, [[grant.spark_id]]);
    const { kid, wrapped_dek: wrappedDek, ciphertext } = row as Row;
    const identity = { id: grant.spark_id, accountId, contentType: 'text/plain', kindling: null };
    const former = platform.service.context.get(SparkSealer);
    await expect(former.open(identity, { kid, wrappedDek, ciphertext })).rejects.toThrow();
    expect(() => former.openNow(identity, { kid, wrappedDek, ciphertext })).toThrow();
    expect(await grants.visits.open(grant.code)).toMatchObject({ payload: 'for you' });
  });

  it('NTF-06 NTF-28 SPK-31: goes with the last Spark: links, the API and a deletion count alike', async () => {
    const minted = await three();
    expect(await grants.visits.open(minted[0].code)).toMatchObject({ payload: 'for you' });
    expect(await stateOf(minted)).toEqual([2, true]);
    expect(await platform.read(minted[1].spark_id, caller)).toMatchObject({
      payload: 'for you',
      size_bytes: 7,
      status: 'ash',
    });
    expect(await stateOf(minted)).toEqual([1, true]);
    await platform.remove(minted[2].spark_id, caller);
    expect(await stateOf(minted)).toEqual([0, false]);
  });

  it('NTF-29: goes with the recall of the last Spark, once', async () => {
    const minted = await three();
    await recall([minted[0]]);
    await recall([minted[0]]);
    expect(await stateOf(minted)).toEqual([2, true]);
    await recall(minted);
    expect(await stateOf(minted)).toEqual([0, false]);
  });

  it('NTF-06 SPK-27 SPK-50: is found by its own account, until its expiry and until its last Spark has ended', async () => {
    const idOf = async ([{ spark_id }]: readonly [NewGrant, ...NewGrant[]]) => {
      const [spark] = await platform.sql<{ id: string }>(
        `SELECT content_id AS id FROM sparks WHERE id = $1`,
        [spark_id],
      );
      return spark?.id as string;
    };
    const isFound = async (id: string, of = accountId) =>
      (await platform.service.context.get(SharedContentRepository).find(id, of)) !== undefined;
    const [late, recalled] = [await three(), await three()];
    const [expired, ended] = [await idOf(late), await idOf(recalled)];
    expect([await isFound(expired), await isFound(ended)]).toEqual([true, true]);
    expect(await isFound(ended, newId('acc_'))).toBe(false);
    await platform.sql(`UPDATE shared_contents SET expires_at = now() WHERE id = $1`, [expired]);
    await recall(recalled);
    expect([await isFound(expired), await isFound(ended)]).toEqual([false, false]);
  });

  it('SPK-50: is deleted at its expiry, when its Sparks are wiped', async () => {
    const minted = await three();
    await platform.sql(`UPDATE sparks SET expires_at = now(), due_at = now() WHERE id = ANY($1::text[])`, [
      minted.map(({ spark_id }) => spark_id),
    ]);
    await platform.sql(
      `UPDATE shared_contents SET expires_at = now() WHERE group_id = (SELECT group_id FROM link_policies WHERE link_id = $1)`,
      [minted[0].link_id],
    );
    await platform.service.context.get(ExpireSparks).run();
    expect(await contentsOf(minted)).toEqual([]);
    const wiped = await platform.sql<Row>(SPARKS, [minted.map(({ spark_id }) => spark_id)]);
    expect(wiped.map(({ ciphertext }) => ciphertext)).toEqual([null, null, null]);
  });

  it('SPK-27 MISC-03: is deleted by the restore fence', async () => {
    const minted = await three();
    await fenceNow(platform.harness, restoreFence);
    expect(await contentsOf(minted)).toEqual([]);
  });

  it('SPK-27: that has ended after the claim of a Spark is not disclosed, and the Spark is not burned', async () => {
    const minted = await three();
    await platform.sql(
      `UPDATE shared_contents SET remaining = 0, ciphertext = NULL WHERE group_id = (SELECT group_id FROM link_policies WHERE link_id = $1)`,
      [minted[0].link_id],
    );
    expect(await reasonOf(platform.read(minted[0].spark_id, caller))).toBe('SPARK_EXPIRED');
    const [row] = await platform.sql(`SELECT status FROM sparks WHERE id = $1`, [minted[0].spark_id]);
    expect(row).toEqual({ status: 'active' });
  });

  it('OPEN-58: draws the pools for each recipient, as before', async () => {
    const [grant] = await three();
    await grants.visits.open(grant.code);
    const events = await outboxEvents(platform.service, { spark_id: grant.spark_id });
    expect(events).toMatchObject([
      { name: 'sparks.created', payload: { size_bytes: 7, account_id: accountId } },
      { name: 'sparks.read', payload: { size_bytes: 7, account_id: accountId } },
    ]);
  });

  it('NTF-06: takes 256,000 bytes once, however many recipients there are', async () => {
    const payload = randomBytes(128_000).toString('hex');
    const minted = await grants.minted(
      Array<null>(500).fill(null),
      {},
      {
        content: Buffer.from(payload).toString('base64'),
      },
    );
    const [{ bytes }] = (await platform.sql<{ bytes: number }>(
      `SELECT (SELECT coalesce(sum(length(ciphertext) + length(wrapped_dek)), 0)::int FROM sparks WHERE id = ANY($1::text[]))
            + (SELECT sum(length(ciphertext))::int FROM shared_contents c JOIN link_policies p ON p.group_id = c.group_id
                WHERE p.link_id = $2) AS bytes`,
      [minted.map(({ spark_id }) => spark_id), minted[0].link_id],
    )) as [{ bytes: number }];
    expect(bytes).toBe(256_000 + 97 + 500 * (37 + 60 + 32));
    expect(await grants.visits.open(minted[0].code)).toMatchObject({ payload });
  });
});

describe('the content of a send whose Sparks end at the same moment', () => {
  it('NTF-06 NTF-29: counts each of them once, on two instances, and opens for every visitor', async () => {
    for (let round = 0; round < 5; round++) {
      const minted = await grants.minted(Array<null>(12).fill(null));
      const outcomes = await Promise.all([
        ...minted.slice(0, 4).flatMap(({ code }) => [opened(code), opened(code)]),
        ...minted.slice(4, 8).map(({ spark_id }) => platform.read(spark_id, caller)),
        ...minted.slice(8, 10).map(({ spark_id }) => platform.remove(spark_id, caller)),
        recall(minted.slice(10)),
      ]);
      expect(outcomes.slice(0, 8).filter((outcome) => outcome === 'for you')).toHaveLength(4);
      expect(await stateOf(minted)).toEqual([0, false]);
    }
  });
});

const opened = async (code: string): Promise<string> => {
  const answer = await grants.visits.open(code).catch(() => undefined);
  return answer?.payload ?? 'refused';
};

interface Row extends Record<string, unknown> {
  id: string;
  kid: string;
  wrapped_dek: Buffer;
  ciphertext: Buffer;
  size_bytes: number;
  group_id: string;
}

const SPARKS = `
  SELECT s.id, s.kid, s.wrapped_dek, s.ciphertext, s.size_bytes, p.group_id
    FROM sparks s JOIN sparklinks l ON l.asset_id = s.id JOIN link_policies p ON p.link_id = l.id
   WHERE s.id = ANY($1::text[])`;
