import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { asOwner } from '@vaultsvc/tools-testing/service-process';
import { accountContext, fenceNow, outboxEvents, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { buildService } from '../../../tools/races/service-instances.ts';
import { restoreFence } from './restore-fence-steps.js';
import { linksOf } from './testing/links.js';
import { usePlatform } from './testing/platform.js';
import { sentCodes } from './testing/sent-codes.js';
import { visitsTo, type Visits } from './testing/visits.js';

const run = promisify(execFile);
const owner = accountContext();
const platform = usePlatform({ LOG_LEVEL: 'silent' });
let links: ReturnType<typeof linksOf>;
let visits: Visits;
beforeAll(async () => {
  await stopSchedule(platform.service);
  links = linksOf(platform);
  visits = visitsTo(platform.harness);
});

const fence = async () => (await fenceNow(platform.harness, restoreFence)).counts;
const eventsOf = async (id: string) =>
  (await outboxEvents(platform.service, { spark_id: id }, { columns: ['name'] })).map(({ name }) => name);

describe('SPK-27 MISC-03: the restore fence of sparks', () => {
  it('burns every Spark of the restored state, which may have been read since, and releases its storage', async () => {
    const { spark_id } = await platform.create({ payload: 'was read after the backup' }, owner);
    const counts = await fence();
    expect(counts['unread Sparks burned']).toBeGreaterThanOrEqual(1);
    expect(await reasonOf(platform.read(spark_id, owner))).toBe('SPARK_BURNED');
    const [row] = await platform.sql(`SELECT status, wrapped_dek, ciphertext FROM sparks WHERE id = $1`, [
      spark_id,
    ]);
    expect(row).toEqual({ status: 'ash', wrapped_dek: null, ciphertext: null });
    expect(await eventsOf(spark_id)).toEqual(['sparks.created', 'sparks.expired']);
    const expired = { name: 'sparks.expired', columns: ['payload'] } as const;
    expect(await outboxEvents(platform.service, { spark_id }, expired)).toMatchObject([
      { payload: { spark_id, actor: { kind: 'operator', id: 'restore-fence' } } },
    ]);
  });

  it('also burns a Spark under a read lock, whose reader cannot burn it again', async () => {
    const { spark_id } = await platform.create({ payload: 'x' }, owner);
    await platform.sql(
      `UPDATE sparks SET status = 'reading', lock_token = gen_random_uuid(), locked_at = now() WHERE id = $1`,
      [spark_id],
    );
    await fence();
    expect(await reasonOf(platform.read(spark_id, owner))).toBe('SPARK_BURNED');
  });

  it('revokes links that open once, and deletes codes and tokens of visitors', async () => {
    const { spark_id } = await platform.create({ payload: 'x' }, owner);
    const { link_code } = await links.share(spark_id, { visibility: 'authenticated' }, owner);
    await visits.start(link_code, 'ann@example.test');
    const [code] = await sentCodes(platform, spark_id);
    await visits.confirm(link_code, 'ann@example.test', code?.code as string);
    expect(await fence()).toEqual({
      'unread Sparks burned': 1,
      'contents of sends deleted': 0,
      'links that open once revoked': 1,
      'codes and tokens of visitors deleted': 1,
    });
    expect(await reasonOf(visits.open(link_code))).toBe('LINK_REVOKED');
    expect((await links.publishedEvents(spark_id)).at(-1)).toMatchObject({
      name: 'sparks.sparklink-revoked',
      payload: {
        actor_type: 'system',
        actor_id: null,
        actor: { kind: 'operator', id: 'restore-fence' },
        asset_id: spark_id,
      },
    });
  });

  it('keeps what was created after the restore point, and changes nothing at a second call', async () => {
    const { restoredTo } = await fenceNow(platform.harness, restoreFence);
    const { spark_id } = await platform.create({ payload: 'new' }, owner);
    const { stdout } = await program('--restored-to', restoredTo.toISOString());
    expect(stdout).toMatch(/^sparks: restored to .*, fenced already at .*; nothing was changed\n$/);
    expect(await platform.read(spark_id, owner)).toMatchObject({ payload: 'new' });
  });
});

/** The built program, as an operator runs it. */
async function program(...args: string[]) {
  const dist = await buildService('sparks');
  const env = asOwner(await platform.harness.environment('sparks'));
  return run(process.execPath, ['--no-warnings', join(dist, 'restore-fence.js'), ...args], { env });
}

describe('the program restore-fence', () => {
  it('prints what it ended, one line each', async () => {
    await platform.create({ payload: 'x' }, owner);
    const [row] = await platform.sql<{ now: Date }>(`SELECT clock_timestamp() AS now`);
    const { stdout } = await program('--restored-to', (row as { now: Date }).now.toISOString());
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^sparks: restored to 20.*Z$/),
      expect.stringMatching(/^sparks: \d+ unread Sparks burned$/),
      expect.stringMatching(/^sparks: \d+ contents of sends deleted$/),
      expect.stringMatching(/^sparks: \d+ links that open once revoked$/),
      expect.stringMatching(/^sparks: \d+ codes and tokens of visitors deleted$/),
      '',
    ]);
  });

  it.each([
    [],
    ['--restored-to'],
    ['--restored-to', 'yesterday'],
    ['--restored-to', '2026-11-21T10:15:00'],
    ['now'],
  ])('prints its usage and exits with 2 for %j %s', async (...args: string[]) => {
    const failed = await program(...args).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining('--restored-to <time>') });
  });
});
