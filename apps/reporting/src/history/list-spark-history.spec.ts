import { beforeAll, describe, expect, it } from '@jest/globals';
import { decode, decodeQuery, type AccountCredential, type Actor } from '@vaultsvc/contracts';
import { listSparkHistory, SparkHistory, SparkHistoryQuery } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext, stopSchedule } from '@vaultsvc/testing/harness';
import type { AuditRecord } from '../audit/audit-rules.js';
import { appendRecords, auditRecord } from '../testing/audit-records.js';
import { usePlatform } from '../testing/platform.js';
import { PurgeSparkLabels } from './purge-spark-labels.job.js';

// Auth does not run here, so that actors have no names.
const platform = usePlatform();
beforeAll(() => stopSchedule(...platform.instances));

const now = () => Math.floor(Date.now() / 1_000);
const ANN: Actor = { kind: 'person', id: 'usr_ann' };
const KEY: Actor = { kind: 'api_key', id: 'key_1' };
const VISITOR: Actor = { kind: 'visitor', id: 'link-1' };
const JOB: Actor = { kind: 'job', id: 'end-links' };
const named = (actor: Actor) => ({ ...actor, name: null });

interface Act {
  readonly type: string;
  readonly at?: number;
  readonly actor?: Actor;
  readonly details?: AuditRecord['details'];
  readonly vaultId?: string;
}

/** An account with these entries, which are of one Spark or one link of an ingot unless they say otherwise. */
async function newLog(...acts: readonly Act[]) {
  const accountId = newId('acc_');
  const records = acts.map(({ type, at = now(), actor = KEY, details = {}, vaultId }) =>
    auditRecord(accountId, { type, occurredAtMs: at * 1_000, actor, details, vaultId }),
  );
  await appendRecords(platform.service, ...records);
  return (query = '', credential: Partial<AccountCredential> = {}) =>
    platform.harness.bus.call(
      listSparkHistory,
      { query: decodeQuery(SparkHistoryQuery, new URLSearchParams(query)) },
      accountContext({ accountId, ...credential }),
    );
}

const spark = { spark_id: 'spk_1', size_bytes: 5 };
const ofSpark = { link_id: 'link-1', link_type: 'spark', asset_id: 'spk_1' };
const ofFile = { vault_id: 'vlt_1', link_id: 'link-1', link_type: 'ingot', asset_id: 'ing_1' };
const created = (more: Partial<Act> = {}): Act => ({
  type: 'spark_created',
  details: { ...spark, expires_at: now() + 600 },
  ...more,
});
const fileLink = (expires_at: number | null | undefined, at = now()): Act => ({
  type: 'sparklink_created',
  at,
  details: { ...ofFile, ...(expires_at !== undefined && { expires_at }) },
  vaultId: 'vlt_1',
});

describe('SPK-53: GET /v1/sparks/history', () => {
  it('shows a Spark that nobody has opened', async () => {
    const at = now() - 60;
    const spark_id = newId('spk_');
    const list = await newLog(created({ at, details: { spark_id, size_bytes: 5, expires_at: at + 600 } }));
    const page = await list();
    expect(page).toEqual({
      items: [
        {
          type: 'spark',
          spark_id,
          status: 'active',
          created_at: at,
          created_by: named(KEY),
          expires_at: at + 600,
          openings: [],
          has_more_openings: false,
          ended_at: null,
          ended_by: null,
        },
      ],
      count: 1,
      has_more: false,
    });
    expect(decode(SparkHistory, page)).toEqual(page);
  });

  it('shows the opening of a link once, with the identity that the visitor has proved', async () => {
    const at = now() - 3_000_000;
    const list = await newLog(
      created({ at, actor: ANN }),
      { type: 'sparklink_created', at: at + 1, details: ofSpark },
      { type: 'spark_read', at: at + 9, actor: VISITOR, details: spark },
      {
        type: 'sparklink_accessed',
        at: at + 9,
        actor: VISITOR,
        details: { ...ofSpark, verified_by: 'bob@example.test', ip: '192.0.2.1' },
      },
    );
    expect((await list()).items).toMatchObject([
      {
        status: 'opened',
        created_by: named(ANN),
        openings: [{ opened_at: at + 9, opened_by: named(VISITOR), verified_by: 'bob@example.test' }],
      },
    ]);
    expect(JSON.stringify(await list())).not.toContain('192.0.2.1');
  });

  it('shows a read over the API with its reader, and a visit without identity as one of nobody known', async () => {
    const list = await newLog(
      created(),
      { type: 'spark_read', actor: ANN, details: spark },
      created({ details: { spark_id: 'spk_2', size_bytes: 5 } }),
      {
        type: 'sparklink_accessed',
        actor: VISITOR,
        details: { ...ofSpark, asset_id: 'spk_2', verified_by: null },
      },
    );
    expect((await list()).items).toMatchObject([
      { spark_id: 'spk_2', status: 'opened', openings: [{ opened_by: named(VISITOR), verified_by: null }] },
      { spark_id: 'spk_1', status: 'opened', openings: [{ opened_by: named(ANN), verified_by: null }] },
    ]);
  });

  it.each([
    ['deleted', { type: 'spark_deleted', actor: ANN, details: spark }],
    ['without its link', { type: 'sparklink_revoked', actor: ANN, details: ofSpark }],
  ])('shows a Spark that was %s as withdrawn, with the time and the actor', async (_, end) => {
    const at = now() - 86_400 * 80;
    const details = { ...spark, expires_at: at + 600 };
    const linked = { type: 'sparklink_created', at: at + 1, details: ofSpark };
    const list = await newLog(created({ at, details }), linked, { ...end, at: at + 5 });
    expect((await list()).items).toMatchObject([
      { status: 'withdrawn', ended_at: at + 5, ended_by: named(ANN), openings: [] },
    ]);
  });

  it('does not show a Spark as withdrawn that has a new link, or whose link ended after the expiry', async () => {
    const at = now() - 5_000;
    const list = await newLog(
      created(),
      { type: 'sparklink_revoked', details: ofSpark },
      { type: 'sparklink_created', details: ofSpark },
      created({ at, details: { ...spark, spark_id: 'spk_2', expires_at: at + 60 } }),
      { type: 'sparklink_deleted', actor: JOB, details: { ...ofSpark, asset_id: 'spk_2' } },
    );
    expect((await list()).items).toMatchObject([
      { spark_id: 'spk_2', status: 'expired', ended_at: null, ended_by: null },
      { spark_id: 'spk_1', status: 'active' },
    ]);
  });

  it('shows an unopened Spark as expired from the second of its expiry, and one of an earlier release after a day', async () => {
    const list = await newLog(
      created({ at: now() - 600, details: { ...spark, expires_at: now() } }),
      created({ at: now() - 86_400, details: { ...spark, spark_id: 'spk_2' } }),
      created({ at: now() - 86_000, details: { ...spark, spark_id: 'spk_3' } }),
    );
    expect((await list()).items).toMatchObject([
      { spark_id: 'spk_3', status: 'active' },
      { spark_id: 'spk_2', status: 'expired' },
      { spark_id: 'spk_1', status: 'expired' },
    ]);
  });

  it('shows each link of a file by itself, with vault and file', async () => {
    const list = await newLog({ type: 'sparklink_created', details: ofSpark }, fileLink(null), {
      type: 'sparklink_accessed',
      actor: VISITOR,
      details: { ...ofFile, verified_by: null },
    });
    const place = { type: 'ingot', link_id: 'link-1', vault_id: 'vlt_1', ingot_id: 'ing_1' };
    expect((await list()).items).toMatchObject([
      { ...place, status: 'active', expires_at: null, openings: [{ verified_by: null }] },
    ]);
  });

  it.each([
    ['a durable link that was withdrawn', null, ['sparklink_accessed', 'sparklink_revoked'], 'withdrawn'],
    [
      'a one-time link that was opened, whatever came after',
      600,
      ['sparklink_accessed', 'sparklink_deleted'],
      'opened',
    ],
    ['a one-time link that was withdrawn', 600, ['sparklink_deleted'], 'withdrawn'],
    ['a one-time link that nobody opened', 0, [], 'expired'],
    ['a link of an earlier release', undefined, [], 'unknown'],
  ])('shows %s', async (_, lifetime, types, status) => {
    const expiresAt = typeof lifetime === 'number' ? now() + lifetime : lifetime;
    const list = await newLog(fileLink(expiresAt), ...types.map((type) => ({ type, details: ofFile })));
    expect((await list()).items).toMatchObject([{ status }]);
  });

  it('shows the newest twenty openings of a durable link, and says that there are more', async () => {
    const at = now() - 100;
    const visits = Array.from({ length: 60 }, (_, n) => ({
      type: 'sparklink_accessed',
      at: at + n,
      actor: VISITOR,
      details: { ...ofFile, verified_by: null },
    }));
    const [item] = (await (await newLog(fileLink(null), ...visits))()).items;
    expect(item).toMatchObject({ status: 'active', has_more_openings: true });
    expect(item?.openings.map(({ opened_at }) => opened_at)).toEqual(
      Array.from({ length: 20 }, (_, n) => at + 59 - n),
    );
  });

  it('pages through Sparks and links of files in one order, each once', async () => {
    const acts = Array.from({ length: 7 }, (_, n) =>
      n % 3 === 0
        ? { ...fileLink(null), details: { ...ofFile, link_id: `link-${n}` } }
        : created({ details: { ...spark, spark_id: `spk_${n}` } }),
    );
    const list = await newLog(...acts);
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(`limit=3${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
      seen.push(...page.items.map(({ spark_id, link_id }) => spark_id ?? link_id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen).toEqual(['link-6', 'spk_5', 'spk_4', 'link-3', 'spk_2', 'spk_1', 'link-0']);
  });

  it('is filtered by the time of creation and by the creator', async () => {
    const at = now() - 1_000;
    const list = await newLog(
      ...[0, 1, 2].map((n) => created({ at: at + n, details: { ...spark, spark_id: `spk_${n}` } })),
      { ...fileLink(null, at + 3), actor: ANN },
    );
    const idsOf = async (query: string) =>
      (await list(query)).items.map(({ spark_id, link_id }) => spark_id ?? link_id);
    expect(await idsOf(`from=${at + 1}&to=${at + 3}`)).toEqual(['spk_2', 'spk_1']);
    expect(await idsOf('created_by=usr_ann')).toEqual(['link-1']);
    expect(await idsOf(`created_by=key_1&to=${at + 1}`)).toEqual(['spk_0']);
    expect(await idsOf('created_by=usr_nobody')).toEqual([]);
    await expect(list(`from=${at}&to=${at - 1}`)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('shows members what they created, and refuses the filter for others', async () => {
    const list = await newLog(
      created({ actor: ANN }),
      created({ details: { spark_id: 'spk_2', size_bytes: 1 } }),
    );
    const member = { kind: 'session', role: 'member', userId: 'usr_ann' } as const;
    expect((await list('', member)).items).toMatchObject([{ spark_id: 'spk_1' }]);
    expect((await list('created_by=usr_ann', member)).items).toMatchObject([{ spark_id: 'spk_1' }]);
    await expect(list('created_by=key_1', member)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await list('', { ...member, role: 'admin' })).items).toHaveLength(2);
  });

  it('has no entries of other accounts, and none that an integration recorded under the same type', async () => {
    const list = await newLog(created());
    const accountId = newId('acc_');
    const forged = { type: 'spark_read', details: spark, appId: 'crma' };
    await appendRecords(
      platform.service,
      auditRecord(accountId, { type: 'spark_created', details: spark, appId: 'crma' }),
      auditRecord(accountId, { type: 'spark_created', details: spark }),
      auditRecord(accountId, forged),
    );
    const { items } = await platform.harness.bus.call(
      listSparkHistory,
      { query: decodeQuery(SparkHistoryQuery, new URLSearchParams()) },
      accountContext({ accountId }),
    );
    expect(items).toMatchObject([{ spark_id: 'spk_1', status: 'active', openings: [] }]);
    expect((await list()).items).toMatchObject([{ status: 'active', openings: [] }]);
  });

  it('shows the labels of the account, and none that another one has given', async () => {
    const [accountId, own, foreign] = [newId('acc_'), newId('spk_'), newId('spk_')];
    const records = [own, foreign].map((spark_id) =>
      auditRecord(accountId, { type: 'spark_created', details: { ...spark, spark_id } }),
    );
    await appendRecords(platform.service, ...records);
    await platform.sql(
      `INSERT INTO spark_labels (spark_id, account_id, label, purge_at)
       VALUES ($1, $2, 'own', now() + interval '1 hour'), ($3, 'acc_other', 'foreign', now() + interval '1 hour')`,
      [own, accountId, foreign],
    );
    const { items } = await platform.harness.bus.call(
      listSparkHistory,
      { query: decodeQuery(SparkHistoryQuery, new URLSearchParams()) },
      accountContext({ accountId }),
    );
    expect(items.map(({ spark_id, label }) => [spark_id, label])).toEqual([
      [foreign, undefined],
      [own, 'own'],
    ]);
  });

  it('forgets labels once their time has come, and no others', async () => {
    await platform.sql(
      `INSERT INTO spark_labels (spark_id, account_id, label, purge_at)
       VALUES ('spk_old', 'acc_x', 'old', now()), ('spk_new', 'acc_x', 'new', now() + interval '1 minute')`,
    );
    await platform.service.context.get(PurgeSparkLabels).run();
    expect(await platform.sql(`SELECT label FROM spark_labels WHERE account_id = 'acc_x'`)).toEqual([
      { label: 'new' },
    ]);
  });
});
