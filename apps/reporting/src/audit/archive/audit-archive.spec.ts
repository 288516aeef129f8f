import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeQuery, type Actor } from '@vaultsvc/contracts';
import {
  listAccountAudit,
  listAppAudit,
  listIngotAudit,
  listSparkHistory,
  listVaultAudit,
  readAuditExport,
  readAuditIntegrity,
  AuditQuery,
  SparkHistoryQuery,
} from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { Objects } from '@vaultsvc/objects';
import { expectNumberSetting } from '@vaultsvc/testing/fixtures';
import { accountContext, internalContext, stopSchedule } from '@vaultsvc/testing/harness';
import { verifyExport } from '@vaultsvc/transparency';
import { AuditLogConfig } from '../../settings/audit-log-config.js';
import { appendRecords, auditRecord } from '../../testing/audit-records.js';
import { usePlatform } from '../../testing/platform.js';
import type { AuditRecord } from '../audit-rules.js';
import { EraseDeletedVaults } from '../erase-deleted-vaults.job.js';
import { FeedRepository, type AccountEntry, type HistoryCursor } from '../sinks/feed.repository.js';
import { ReportingConfig } from '../../config.js';
import { ArchiveEntries } from './archive-entries.job.js';
import { SegmentKeysRepository } from './segment-keys.repository.js';
import { SegmentObjects } from './segment-objects.js';
import { SegmentsRepository, type NewSegment } from './segments.repository.js';

const platform = usePlatform();
beforeAll(() => stopSchedule(...platform.instances));

const START = 1_790_000_000;
const ANN: Actor = { kind: 'person', id: 'usr_ann' };
const KEY: Actor = { kind: 'api_key', id: 'key_1' };
const JOB: Actor = { kind: 'job', id: 'end-links' };

const job = (instance = platform.service) => instance.context.get(ArchiveEntries);
/** Archives every entry of the tests, in segments of so many. */
const archive = (entries: number, instance = platform.service) =>
  job(instance).archiveBefore(Date.now() * 2, entries);
const objects = () => platform.service.context.get(Objects);

/** The entries of a kind in turn, one a second: of the account, two vaults with an ingot each, an integration. */
async function newLog(count: number) {
  const accountId = newId('acc_');
  const vaults = [newId('vlt_'), newId('vlt_')] as const;
  const ingots = [newId('ing_'), newId('ing_')] as const;
  const kinds: readonly Partial<AuditRecord>[] = [
    { type: 'spark_created', actor: ANN },
    { type: 'ingot_created', actor: KEY, vaultId: vaults[0], ingotId: ingots[0] },
    { type: 'spark_read', actor: JOB },
    { type: 'ingot_created', actor: ANN, vaultId: vaults[1], ingotId: ingots[1] },
    { type: 'file.opened', actor: KEY, appId: 'crma' },
    { type: 'dvak_created', actor: ANN, vaultId: vaults[0] },
  ];
  const records = Array.from({ length: count }, (_, n) =>
    auditRecord(accountId, {
      occurredAtMs: (START + n) * 1_000,
      ...kinds[n % kinds.length],
      details: { n, note: `the note ${n} of ${accountId}` },
    }),
  );
  await appendRecords(platform.service, ...records);
  return { accountId, vaults, ingots };
}

type Log = Awaited<ReturnType<typeof newLog>>;

/** All pages of a list, of two entries each. */
async function pagesOf<Page extends { has_more: boolean; next_cursor?: string }>(
  read: (query: AuditQuery) => Promise<Page>,
  filter: string,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; cursor = pages.at(-1)?.next_cursor) {
    const query = decodeQuery(AuditQuery, new URLSearchParams(`limit=2&${filter}`));
    pages.push(await read({ ...query, ...(cursor !== '' && { cursor }) }));
  }
  return pages;
}

/** What each list shows, in the order of its pages. */
async function listsOf({ accountId, vaults, ingots }: Log, scopes = ['account', 'vault', 'ingot', 'app']) {
  const { bus } = platform.harness;
  const context = accountContext({ accountId });
  const ofVault = { ...context, vault: { token: 'vat', accessLevel: 'read' as const } };
  const [vault_id, ingot_id] = [vaults[0], ingots[0]];
  const reads = {
    account: (query: AuditQuery) => bus.call(listAccountAudit, { query }, context),
    vault: (query: AuditQuery) => bus.call(listVaultAudit, { params: { vault_id }, query }, ofVault),
    ingot: (query: AuditQuery) =>
      bus.call(listIngotAudit, { params: { vault_id, ingot_id }, query }, ofVault),
    app: (query: AuditQuery) => bus.call(listAppAudit, { params: { app_slug: 'crma' }, query }, context),
  };
  const filters = [
    '',
    'event_types=spark_read,ingot_created',
    'actor=usr_ann',
    `from=${START + 5}&to=${START + 9}`,
  ];
  const lists: Record<string, unknown[]> = {};
  for (const [scope, read] of Object.entries(reads).filter(([name]) => scopes.includes(name)))
    for (const filter of filters)
      lists[`${scope} ${filter}`] = (await pagesOf<Awaited<ReturnType<typeof read>>>(read, filter)).flatMap(
        ({ entries }) => entries,
      );
  return lists;
}

/** Whole lines of an export, heads and checkpoint excepted, which other tests may add to the log. */
async function exportOf(account_id: string, range = {}): Promise<string[]> {
  const lines: string[] = [];
  for (let position: string | undefined = ''; position !== undefined;) {
    const body = { account_id, ...range, ...(position !== '' && { position }) };
    const part: { lines: string; next: string | null } = await platform.harness.bus.call(
      readAuditExport,
      { body },
      internalContext(),
    );
    lines.push(...part.lines.split('\n').filter((line) => line !== ''));
    position = part.next ?? undefined;
  }
  return lines;
}

const stored = (accountId: string) =>
  platform.sql<{ seq: number }>(`SELECT seq FROM audit_entries WHERE account_id = $1 ORDER BY seq`, [
    accountId,
  ]);
const segmentsOf = (accountId: string) =>
  platform.sql<{ first_seq: number; last_seq: number; object_key: string }>(
    `SELECT first_seq, last_seq, object_key FROM audit_segments WHERE account_id = $1 ORDER BY last_seq`,
    [accountId],
  );
const objectsOf = async (accountId: string) =>
  (await objects().list({ prefix: `audit-segments/${accountId}/` })).objects;
const asService = (text: string) => platform.service.context.get(Database).dataSource.query<object[]>(text);

async function* iterate(lines: readonly string[]) {
  yield* lines;
}

const deleteVault = async (accountId: string, vaultId: string) => {
  await appendRecords(
    platform.service,
    auditRecord(accountId, { type: 'vault_deleted', vaultId, details: { vault_id: vaultId } }),
  );
  await platform.sql(`INSERT INTO audit_erasures (account_id, vault_id) VALUES ($1, $2)`, [
    accountId,
    vaultId,
  ]);
  await platform.service.context.get(EraseDeletedVaults).run();
};

describe('AUD-11 AUD-14: entries that have moved to the archive', () => {
  it('leave the database in whole segments, and the newest stay', async () => {
    const { accountId } = await newLog(10);
    await archive(4);
    expect((await stored(accountId)).map(({ seq }) => seq)).toEqual([9, 10]);
    expect(await segmentsOf(accountId)).toMatchObject([
      { first_seq: 1, last_seq: 4 },
      { first_seq: 5, last_seq: 8 },
    ]);
    expect(await objectsOf(accountId)).toHaveLength(2);
  });

  it('stay until they are old enough', async () => {
    const { accountId } = await newLog(8);
    await job().archiveBefore((START + 5) * 1_000, 4);
    expect((await stored(accountId)).map(({ seq }) => seq)).toEqual([5, 6, 7, 8]);
  });

  it('AUD-01 AUD-02 AUD-04 AUD-05 AUD-09: are in every list as before, with each filter, page by page', async () => {
    const log = await newLog(14); // of the ingot one entry stays: vaults, which knows ingots, does not run here
    const before = await listsOf(log);
    expect(before['account ']).toHaveLength(5);
    await archive(6);
    expect(await stored(log.accountId)).toHaveLength(2);
    expect(await listsOf(log)).toEqual(before);
  });

  it('AUD-15: are in an export as before, and the chain verifies over both', async () => {
    const { accountId } = await newLog(11);
    const before = await exportOf(accountId);
    const range = { from: START + 2, to: START + 10 };
    const ofRange = await exportOf(accountId, range);
    expect(ofRange.filter((line) => line.includes('"kind":"entry"'))).toHaveLength(8);
    await archive(4);
    expect(await exportOf(accountId)).toEqual(before);
    expect(await exportOf(accountId, range)).toEqual(ofRange);
    expect(await verifyExport(iterate(before))).toMatchObject({ entries: 11, erased: 0 });
  });

  it('go on being verified, and new ones follow them', async () => {
    const { accountId } = await newLog(8);
    await archive(4);
    await appendRecords(platform.service, auditRecord(accountId));
    expect(await verifyExport(iterate(await exportOf(accountId)))).toMatchObject({ entries: 9 });
    const integrity = await platform.harness.bus.call(readAuditIntegrity, {}, accountContext({ accountId }));
    expect(integrity).toMatchObject({ entries: 9, state: expect.stringMatching(/^(?:pending|verified)$/) });
  });

  it('are archived once by instances that work at the same time, and no object is left over', async () => {
    const { accountId } = await newLog(24);
    await Promise.all(platform.instances.map((instance) => archive(4, instance)));
    await archive(4);
    expect(await stored(accountId)).toEqual([]);
    const names = (await segmentsOf(accountId)).map(({ object_key }) => object_key);
    expect(names).toHaveLength(6);
    expect((await objectsOf(accountId)).map(({ key }) => key)).toEqual(names);
    expect(await verifyExport(iterate(await exportOf(accountId)))).toMatchObject({ entries: 24 });
  });

  it('SPK-53: are in the history of Sparks as before', async () => {
    const accountId = newId('acc_');
    const spark = (n: number) => ({ spark_id: `spk_${n}`, size_bytes: 5 });
    const link = { vault_id: 'vlt_1', link_id: 'link-1', link_type: 'ingot', asset_id: 'ing_1' };
    const records: readonly Partial<AuditRecord>[] = [
      { type: 'spark_created', details: { ...spark(1), expires_at: START + 600 } },
      { type: 'sparklink_created', vaultId: 'vlt_1', details: { ...link, expires_at: null } },
      { type: 'spark_read', details: spark(1) },
      { type: 'spark_created', details: { ...spark(2), expires_at: START + 600 }, actor: ANN },
      { type: 'sparklink_accessed', vaultId: 'vlt_1', details: { ...link, verified_by: 'bob@example.test' } },
      { type: 'spark_created', details: { ...spark(3), expires_at: START + 600 } },
      { type: 'spark_deleted', details: spark(3) },
      { type: 'sparklink_revoked', vaultId: 'vlt_1', details: link, actor: ANN },
    ];
    const at = (n: number) => (START + n) * 1_000;
    await appendRecords(
      platform.service,
      ...records.map((record, n) => auditRecord(accountId, { actor: KEY, occurredAtMs: at(n), ...record })),
    );
    const history = async (query = '') => {
      const decoded = decodeQuery(SparkHistoryQuery, new URLSearchParams(query));
      const page = await platform.harness.bus.call(
        listSparkHistory,
        { query: decoded },
        accountContext({ accountId }),
      );
      return page.items;
    };
    const before = await history();
    expect(before.map(({ type, status }) => [type, status])).toEqual([
      ['spark', 'withdrawn'],
      ['spark', 'expired'],
      ['ingot', 'withdrawn'],
      ['spark', 'opened'],
    ]);
    const ofAnn = await history('created_by=usr_ann');
    expect(ofAnn).toHaveLength(1);
    await archive(3);
    expect(await stored(accountId)).toHaveLength(2);
    expect(await history()).toEqual(before);
    expect(await history('created_by=usr_ann')).toEqual(ofAnn);
  });

  it('reach a sink that has not received them yet, with the older ones and from the feed', async () => {
    const logs = [await newLog(8), await newLog(3), await newLog(5)];
    const accounts = new Set(logs.map(({ accountId }) => accountId));
    await archive(4);
    const feed = platform.service.context.get(FeedRepository);
    const seen: string[] = [];
    for (let cursor: HistoryCursor | undefined = { account: '', seq: 0 }; cursor;) {
      const entries: readonly AccountEntry[] = await feed.readHistory(cursor);
      seen.push(...entries.map(({ account, entry }) => `${account} ${entry.seq}`));
      const last = entries.at(-1);
      cursor = last && { account: last.account, seq: last.entry.seq };
    }
    const ofTest = seen.filter((entry) => accounts.has(entry.split(' ')[0] as `acc_${string}`));
    expect(ofTest).toHaveLength(16);
    expect(new Set(ofTest).size).toBe(16);
    await platform.sql(
      `INSERT INTO audit_feed (position, account_id, first_seq, last_seq, appended_at) VALUES (1, $1, 1, 3, now()), (2, $1, 4, 5, now())`,
      [logs[2]?.accountId],
    );
    const fed = await feed.read(0, 2);
    expect(fed.map(({ position, entry }) => [position, entry.seq])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 4],
      [2, 5],
    ]);
    expect(
      fed.every(({ entry }, n) => n === 0 || entry.prevHash.equals(fed[n - 1]?.entry.hash as Buffer)),
    ).toBe(true);
  });
});

describe('AUD-09 ENV-14: a list in the archive', () => {
  const listOf = (accountId: string, query: string) =>
    platform.harness.bus.call(
      listAccountAudit,
      { query: decodeQuery(AuditQuery, new URLSearchParams(query)) },
      accountContext({ accountId }),
    );

  it('has a shorter page after eight segments, and goes on behind its cursor', async () => {
    const accountId = newId('acc_');
    const records = Array.from({ length: 20 }, (_, n) =>
      auditRecord(accountId, { type: n % 2 ? 'spark_read' : 'spark_created', actor: JOB, details: { n } }),
    );
    await appendRecords(platform.service, ...records);
    await archive(2);
    const first = await listOf(accountId, 'event_types=spark_read&limit=50');
    expect(first).toMatchObject({ count: 8, has_more: true, next_cursor: expect.any(String) });
    const query = {
      ...decodeQuery(AuditQuery, new URLSearchParams('event_types=spark_read&limit=50')),
      cursor: first.next_cursor,
    };
    const second = await platform.harness.bus.call(
      listAccountAudit,
      { query },
      accountContext({ accountId }),
    );
    expect(second).toMatchObject({ count: 2, has_more: false });
    const shown = [...first.entries, ...second.entries].map(({ details }) => details['n']);
    expect(shown).toEqual([19, 17, 15, 13, 11, 9, 7, 5, 3, 1]);
  });

  it.each(['event_types=no_such_type', 'actor=usr_nobody', 'to=1000000000'])(
    'is empty, and the last page, for what no entry has: %s',
    async (query) => {
      const { accountId } = await newLog(8);
      await archive(4);
      expect(await listOf(accountId, query)).toMatchObject({ entries: [], count: 0, has_more: false });
    },
  );
});

describe('AUD-15: a range of an export', () => {
  it('is the same with archived entries whose times are in another order than their numbers', async () => {
    const accountId = newId('acc_');
    const seconds = [5, 1, 9, 3, 7, 2, 8, 4, 6, 0];
    await appendRecords(
      platform.service,
      ...seconds.map((second) =>
        auditRecord(accountId, { actor: JOB, occurredAtMs: (START + second) * 1_000 }),
      ),
    );
    const ranges = [
      {},
      { from: START + 3, to: START + 5 },
      { from: START + 9 },
      { to: START + 1 },
      { from: START + 20 },
    ];
    const before = await Promise.all(ranges.map((range) => exportOf(accountId, range)));
    const counts = before.map((lines) => lines.filter((line) => line.includes('"kind":"entry"')).length);
    expect(counts).toEqual([10, 5, 1, 1, 0]);
    await archive(3);
    for (const [index, range] of ranges.entries())
      expect(await exportOf(accountId, range)).toEqual(before[index]);
  });
});

describe('AUD-13 VLT-24: archived entries of a deleted vault', () => {
  it('cannot be read any more, though their objects stay, and the chain still verifies', async () => {
    const log = await newLog(12);
    await archive(6);
    const { accountId, vaults } = log;
    await deleteVault(accountId, vaults[0]);
    const lists = await listsOf(log, ['account', 'vault']);
    expect(lists['vault ']).toEqual([]);
    expect(lists['account ']).toHaveLength(5);
    const lines = await exportOf(accountId);
    expect(await verifyExport(iterate(lines))).toMatchObject({ entries: 13, erased: 4 });
    expect(
      lines
        .filter((line) => line.includes('"erased":true'))
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toEqual(['ingot_created', 'dvak_created', 'ingot_created', 'dvak_created']);
    expect(await objectsOf(accountId)).toHaveLength(2);
    const keys = await platform.sql(
      `SELECT vault_id FROM audit_segment_keys WHERE account_id = $1 ORDER BY vault_id`,
      [accountId],
    );
    expect(keys).toEqual([{ vault_id: '' }, { vault_id: vaults[1] }]);
  });

  it('are erased, those that come late included, after their deletion is archived itself', async () => {
    const { accountId, vaults } = await newLog(3);
    await deleteVault(accountId, vaults[0]);
    await archive(4);
    expect(await stored(accountId)).toEqual([]);
    const late = { type: 'dvak_created', vaultId: vaults[0], details: { note: 'late' } };
    await appendRecords(platform.service, auditRecord(accountId, late));
    await platform.sql(`UPDATE audit_erasures SET erased_at = NULL WHERE account_id = $1`, [accountId]);
    await platform.service.context.get(EraseDeletedVaults).run();
    const lines = await exportOf(accountId);
    expect(lines.join()).not.toContain('late');
    expect(await verifyExport(iterate(lines))).toMatchObject({ entries: 5, erased: 2 });
  });

  it('are not archived with the body that they had when they were read, and get no new key', async () => {
    const { accountId, vaults } = await newLog(4);
    const keys = platform.service.context.get(SegmentKeysRepository);
    const made = await keys.ensure(accountId, []);
    await deleteVault(accountId, vaults[0]);
    expect([...(await keys.ensure(accountId, [...vaults])).keys()].sort()).toEqual(['', vaults[1]].sort());
    await platform.sql(`INSERT INTO audit_segment_attempts (object_key) VALUES ('one')`);
    const record = `SELECT archive_audit_entries('${accountId}', 1, 4, 0, 'one', 'x', 'x', '{${made.get('')?.kid}}')`;
    await expect(asService(record)).rejects.toMatchObject({ code: '55000' }); // object_not_in_prerequisite_state
    expect(await stored(accountId)).toHaveLength(5);
    expect(await segmentsOf(accountId)).toEqual([]);
  });
});

describe('AUD-13 VLT-24: archiving while vaults are deleted', () => {
  it('leaves no readable body of them, and every chain verifies', async () => {
    const logs = await Promise.all(Array.from({ length: 8 }, () => newLog(12)));
    await Promise.all([
      archive(3),
      ...logs.map(({ accountId, vaults }) => deleteVault(accountId, vaults[0])),
      archive(3, platform.instances[1]),
    ]);
    await archive(3);
    await platform.service.context.get(EraseDeletedVaults).run();
    for (const { accountId, vaults } of logs) {
      const lines = await exportOf(accountId);
      expect(await verifyExport(iterate(lines))).toMatchObject({ entries: 13, erased: 4 });
      const keys = await platform.sql(`SELECT 1 FROM audit_segment_keys WHERE vault_id = $1`, [vaults[0]]);
      expect(keys).toEqual([]);
    }
  });
});

describe('AUD-11: a segment whose record fails', () => {
  const jobWith = (record: (segment: NewSegment) => Promise<void>) => {
    const { context } = platform.service;
    const segments = Object.create(context.get(SegmentsRepository), {
      record: { value: record },
    }) as SegmentsRepository;
    const own = (type: typeof SegmentObjects | typeof SegmentKeysRepository) => context.get<never>(type);
    return new ArchiveEntries(
      context.get(ReportingConfig),
      segments,
      own(SegmentKeysRepository),
      own(SegmentObjects),
    );
  };

  it('after PostgreSQL has committed it keeps its object, and the entries are read from there', async () => {
    const { accountId } = await newLog(4);
    const before = await exportOf(accountId);
    const recorder = platform.service.context.get(SegmentsRepository);
    const lostAnswer = jobWith(async (segment) => {
      await recorder.record(segment);
      throw new Error('the connection is lost');
    });
    await lostAnswer.archiveBefore(Date.now() * 2, 4);
    expect(await stored(accountId)).toEqual([]);
    expect(await exportOf(accountId)).toEqual(before);
  });

  it('is archived again, and what is left of it is deleted after 90 days', async () => {
    const { accountId } = await newLog(6);
    const before = await exportOf(accountId);
    await jobWith(() => Promise.reject(new Error('the process dies'))).archiveBefore(Date.now() * 2, 6);
    expect(await objectsOf(accountId)).toHaveLength(1);
    await archive(3);
    const recorded = (await segmentsOf(accountId)).map(({ object_key }) => object_key);
    expect(await objectsOf(accountId)).toHaveLength(3);
    const days = (count: number) => Date.now() + count * 86_400_000;
    await job().deleteOrphans(days(89));
    expect(await objectsOf(accountId)).toHaveLength(3);
    await job().deleteOrphans(days(91));
    expect((await objectsOf(accountId)).map(({ key }) => key)).toEqual(recorded);
    expect(await exportOf(accountId)).toEqual(before);
  });
});

describe('AUD-14: the objects of the archive', () => {
  it('reveal nothing of an entry without the database: no note, no vault, no type', async () => {
    const { accountId, vaults } = await newLog(8);
    await archive(4);
    for (const { key } of await objectsOf(accountId)) {
      const bytes = await buffer(await objects().read(key));
      for (const text of ['the note', vaults[0], vaults[1], 'ingot_created', 'usr_ann'])
        expect(bytes.includes(text)).toBe(false);
    }
  });

  it.each([
    ['is lost', (key: string) => objects().delete(key)],
    [
      'is that of another segment',
      async (key: string) => {
        const other = await newLog(4);
        await archive(4);
        const [{ object_key } = { object_key: '' }] = await segmentsOf(other.accountId);
        const bytes = await buffer(await objects().read(object_key));
        await objects().put(key, Readable.from([bytes], { objectMode: false }), bytes.length);
      },
    ],
  ])('show that one of them %s: the log is broken, and no list hides it', async (_, damage) => {
    const { accountId } = await newLog(4);
    await archive(4);
    const [{ object_key } = { object_key: '' }] = await segmentsOf(accountId);
    await damage(object_key);
    const context = accountContext({ accountId });
    expect(await platform.harness.bus.call(readAuditIntegrity, {}, context)).toMatchObject({
      state: 'broken',
      entries: 4,
    });
    const query = decodeQuery(AuditQuery, new URLSearchParams());
    await expect(platform.harness.bus.call(listAccountAudit, { query }, context)).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
    });
  });

  it('are not written for a chain that does not verify, whose entries stay', async () => {
    const { accountId } = await newLog(4);
    // As somebody who can switch triggers off.
    await platform.sql(
      `BEGIN; SET LOCAL session_replication_role = replica;
       UPDATE audit_entries SET body = replace(body, 'note 2', 'note 3') WHERE account_id = '${accountId}'; COMMIT`,
    );
    const other = await newLog(4);
    await archive(4);
    expect(await stored(accountId)).toHaveLength(4);
    expect(await objectsOf(accountId)).toEqual([]);
    expect(await stored(other.accountId)).toEqual([]);
  });
});

describe('AUD-14: the role of the service', () => {
  it.each([
    `DELETE FROM audit_entries`,
    `INSERT INTO audit_segments SELECT * FROM audit_segments`,
    `UPDATE audit_segments SET first_seq = 0`,
    `DELETE FROM audit_segments`,
    `TRUNCATE audit_segments`,
    `UPDATE audit_segment_keys SET key = 'x'`,
    `DELETE FROM audit_segment_keys`,
    `INSERT INTO audit_archived_deletions VALUES ('a', 'v')`,
    `CREATE TEMPORARY TABLE audit_archived_deletions AS SELECT 'a' AS account_id, 'v' AS vault_id; SELECT erase_audit_entries('a', 'v', 1)`,
  ])('cannot change the archive, or delete entries: %s', async (change) => {
    await expect(asService(change)).rejects.toMatchObject({ code: '42501' }); // insufficient_privilege
  });

  it.each([
    ['that leave a gap', 2, 4],
    ['that do not exist', 1, 9],
  ])('cannot archive entries %s', async (_, first, last) => {
    const { accountId } = await newLog(4);
    const made = await platform.service.context.get(SegmentKeysRepository).ensure(accountId, []);
    await platform.sql(`INSERT INTO audit_segment_attempts (object_key) VALUES ($1)`, [accountId]);
    const kids = `{${made.get('')?.kid}}`;
    const record = `SELECT archive_audit_entries('${accountId}', ${first}, ${last}, 0, '${accountId}', 'x', 'x', '${kids}')`;
    await expect(asService(record)).rejects.toMatchObject({ code: '55000' });
    expect(await stored(accountId)).toHaveLength(4);
  });
});

describe('AUD-11: the time after which entries are archived', () => {
  it('begins when no copy of 0.1 runs any more, which would not find them', async () => {
    const { accountId } = await newLog(2_048);
    const { context } = platform.service;
    const run = (oldest: '0.1' | '0.2', seconds = 60) => {
      const config = Object.assign(Object.create(context.get(ReportingConfig)) as ReportingConfig, {
        AUDIT_ARCHIVE_AFTER_SECONDS: seconds,
        OLDEST_RELEASE: oldest,
      });
      const parts = [
        context.get(SegmentsRepository),
        context.get(SegmentKeysRepository),
        context.get(SegmentObjects),
      ] as const;
      return new ArchiveEntries(config, ...parts).run();
    };
    await run('0.1');
    await run('0.2', 0);
    expect(await stored(accountId)).toHaveLength(2_048);
    await run('0.2');
    expect(await stored(accountId)).toEqual([]);
  });

  it('is 35 days unless it is set, and 0 keeps them', () => {
    expectNumberSetting(AuditLogConfig, ['AUDIT_ARCHIVE_AFTER_SECONDS', 3_024_000, 0, 3_153_600_000]);
  });
});
