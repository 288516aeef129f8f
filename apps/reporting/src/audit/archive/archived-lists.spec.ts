import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeQuery } from '@vaultsvc/contracts';
import {
  AuditQuery,
  listAccountAudit,
  listSparkHistory,
  readAuditIntegrity,
  SparkHistoryQuery,
} from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext, stopSchedule } from '@vaultsvc/testing/harness';
import { verifyExport } from '@vaultsvc/transparency';
import { ANN, archivedLogs, iterate, JOB, KEY, START } from '../../testing/archived-logs.js';
import { appendRecords, auditRecord } from '../../testing/audit-records.js';
import { usePlatform } from '../../testing/platform.js';
import type { AuditRecord } from '../audit-rules.js';
import { FeedRepository, type AccountEntry, type HistoryCursor } from '../sinks/feed.repository.js';

const platform = usePlatform();
const { archive, exportOf, job, listsOf, newLog, objectsOf, segmentsOf, stored } = archivedLogs(platform);
beforeAll(() => stopSchedule(...platform.instances));

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
