import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { decode } from '@vaultsvc/contracts';
import { readAuditExport } from '@vaultsvc/contracts/reporting';
import { createSpark, NewSpark, readSpark } from '@vaultsvc/contracts/sparks';
import type { RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { accountContext, fenceNow, internalContext, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { inspectRedis, sharedServers } from '@vaultsvc/testing/servers';
import { until } from '@vaultsvc/testing/waiting';
import { openCheckpoint, verifyExport } from '@vaultsvc/transparency';
import pg from 'pg';
import { LogFiles } from '../../../apps/reporting/src/audit/log/log-files.js';
import { PublishHeads } from '../../../apps/reporting/src/audit/log/publish-heads.job.js';
import { TransparencyLog } from '../../../apps/reporting/src/audit/log/transparency-log.js';
import { restoreFence as reportingFence } from '../../../apps/reporting/src/restore-fence-steps.js';
import { reporting } from '../../../apps/reporting/src/service-definition.js';
import { restoreFence as sparksFence } from '../../../apps/sparks/src/restore-fence-steps.js';
import { sparks } from '../../../apps/sparks/src/service-definition.js';
import { ensureBinaries } from '../../stack/servers/install.ts';

const run = promisify(execFile);
const harness = useHarness({ LOG_LEVEL: 'silent', AUDIT_LOG_EVERY_SECONDS: '86400' });
const owner = accountContext();
const account = owner.credential.accountId;

let programs: string;
let folder: string;
let services: { sparks: RunningService; reporting: RunningService };
beforeAll(async () => {
  programs = dirname(await realpath((await ensureBinaries()).postgres)); // where pg_dump is, too
  folder = await mkdtemp(join(tmpdir(), 'drill-'));
  await start();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(): Promise<void> {
  services = { sparks: await harness.start(sparks), reporting: await harness.start(reporting) };
  await stopSchedule(services.reporting); // the first run of its own would have the heads, and this spec's would find none
}

const create = async (payload: string) =>
  (await harness.bus.call(createSpark, { body: decode(NewSpark, { payload }) }, owner)).spark_id;
const read = (spark_id: string) => harness.bus.call(readSpark, { params: { spark_id } }, owner);
const publish = () => services.reporting.context.get(PublishHeads).run();

async function exported(): Promise<string[]> {
  const context = internalContext('drill');
  let text = '';
  for (let position: string | undefined; ;) {
    const body = { account_id: account, ...(position !== undefined && { position }) };
    const part = await harness.bus.call(readAuditExport, { body }, context);
    text += part.lines;
    if (part.next === null) return text.trim().split('\n');
    position = part.next;
  }
}

/** The events travel on after the change that they are of. */
const untilEntries = (count: number) =>
  until(async () => (await exported()).filter((line) => line.includes('"kind":"entry"')).length === count);

/** The database of a service, as its superuser enters it. */
async function databaseOf(service: 'sparks' | 'reporting'): Promise<{ name: string; url: string }> {
  const { DATABASE_URL = '' } = await harness.environment(service);
  const url = new URL(sharedServers().postgresAdminUrl);
  url.pathname = new URL(DATABASE_URL).pathname;
  return { name: url.pathname.slice(1), url: url.href };
}

async function dump(service: 'sparks' | 'reporting'): Promise<void> {
  const { url } = await databaseOf(service);
  await run(join(programs, 'pg_dump'), ['-Fc', '--file', join(folder, service), url]);
}

/** Drops the database, and restores the dump into a new one. */
async function restore(service: 'sparks' | 'reporting'): Promise<void> {
  const { name, url } = await databaseOf(service);
  const admin = new pg.Client({ connectionString: sharedServers().postgresAdminUrl });
  await admin.connect();
  await admin.query(`DROP DATABASE ${name} (FORCE)`);
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  await admin.end();
  await run(join(programs, 'pg_restore'), ['--dbname', url, '--exit-on-error', join(folder, service)]);
}

describe('MISC-03 AUD-14: a restore from a dump, by the runbook', () => {
  it('ends with burned Sparks, and with an audit log that is intact over both generations and grows', async () => {
    const [burned, unread] = [await create('read after the dump'), await create('unread')];
    await untilEntries(2);
    await publish();
    for (const service of ['sparks', 'reporting'] as const) await dump(service);

    await read(burned);
    const lost = await create('created after the dump');
    await untilEntries(4);
    await publish();
    const log = services.reporting.context.get(TransparencyLog);
    const { keys, origin } = log;
    const publicBefore = (await services.reporting.context.get(LogFiles).checkpoint()) ?? '';

    await Promise.all(Object.values(services).map((service) => service.stop()));
    for (const service of ['sparks', 'reporting'] as const) await restore(service);
    const redis = await inspectRedis();
    await redis.command('FLUSHDB');
    redis.close();
    await (await jetstreamManager(harness.connection)).streams.delete('EVENTS');
    for (const fence of [sparksFence, reportingFence]) await fenceNow(harness, fence);
    await start();

    expect(await reasonOf(read(burned))).toBe('SPARK_BURNED');
    expect(await reasonOf(read(unread))).toBe('SPARK_BURNED');
    expect(await reasonOf(read(lost))).toBe('SPARK_NOT_FOUND');
    expect(await read(await create('new'))).toMatchObject({ payload: 'new' });
    await untilEntries(6); // two of the dump, two of the fence, created and read
    await publish();

    const note = (await services.reporting.context.get(LogFiles).checkpoint()) ?? '';
    const [before, after] = [publicBefore, note].map((text) => openCheckpoint(text, origin, keys));
    expect(after?.size).toBeGreaterThanOrEqual((before?.size ?? 0) + 2); // the record of the restore, and new heads
    const report = await verifyExport(toAsync(await exported()), {
      keys,
      pinned: publicBefore,
      read: services.reporting.context.get(LogFiles).read,
    });
    expect(report).toMatchObject({ entries: 6, lastHead: { seq: 6 }, log: { comparison: 'tiles' } });
    expect(report.log.restores).toMatchObject([{ voided: [{ seq: 4 }] }]);
  });
});

async function* toAsync(lines: readonly string[]): AsyncGenerator<string, void, void> {
  yield* lines;
}
