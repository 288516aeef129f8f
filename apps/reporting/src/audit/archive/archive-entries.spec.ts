import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeQuery } from '@vaultsvc/contracts';
import { AuditQuery, listAccountAudit, readAuditIntegrity } from '@vaultsvc/contracts/reporting';
import { expectNumberSetting } from '@vaultsvc/testing/fixtures';
import { accountContext, stopSchedule } from '@vaultsvc/testing/harness';
import { ReportingConfig } from '../../config.js';
import { AuditLogConfig } from '../../settings/audit-log-config.js';
import { archivedLogs } from '../../testing/archived-logs.js';
import { usePlatform } from '../../testing/platform.js';
import { ArchiveEntries } from './archive-entries.job.js';
import { SegmentKeysRepository } from './segment-keys.repository.js';
import { SegmentObjects } from './segment-objects.js';
import { SegmentsRepository, type NewSegment } from './segments.repository.js';

const platform = usePlatform();
const { archive, asService, exportOf, job, newLog, objects, objectsOf, segmentsOf, stored } =
  archivedLogs(platform);
beforeAll(() => stopSchedule(...platform.instances));

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
