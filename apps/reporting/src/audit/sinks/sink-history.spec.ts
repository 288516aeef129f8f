import { afterEach, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { useFixture, useHarness, useService } from '@vaultsvc/testing/fixtures';
import { rowsOf, stopSchedule } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { reporting } from '../../service-definition.js';
import { appendRecords, appendUncommitted, auditRecord } from '../../testing/audit-records.js';
import { accept, answer, SinkServer } from '../../testing/sink-server.js';
import { ExtendFeed } from './extend-feed.job.js';
import { RegisterSinks } from './register-sinks.job.js';
import { SinkBatchReader } from './sink-batch-reader.js';
import { SinkRegistryRepository } from './sink-registry.repository.js';
import { SinkRepository } from './sink.repository.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
/** Its transactions may stay open while a test waits. */
const without = useService(harness, reporting, { DATABASE_STATEMENT_MS: '60000' });
const server = useFixture(
  () => SinkServer.start(),
  (started) => started.stop(),
);
const running: RunningService[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
  await sql(`UPDATE audit_sinks SET removed_at = now()`);
  // A batch that nobody has read yet would be in the next test's feed.
  await without.context.get(ExtendFeed).run();
  await until(async () => (await sql(`SELECT FROM audit_batches`)).length === 0);
});

async function startWith(name: string, more: object = {}): Promise<RunningService> {
  const service = await harness.start(reporting, {
    AUDIT_SINKS: JSON.stringify([server.settings(name, more)]),
  });
  running.push(service);
  await service.context.get(RegisterSinks).run();
  return service;
}

const sql = (text: string, ...values: unknown[]) => rowsOf(without, text, values);
const append = (account: string, entries = 1) =>
  appendRecords(without, ...Array.from({ length: entries }, () => auditRecord(account)));
const rowOf = async (name: string) => (await sql(`SELECT * FROM audit_sinks WHERE name = $1`, name))[0];
const seqsOf = (account: string) => server.linesOf(account).map(({ seq }) => seq);
const historyIsSent = (name: string) => until(async () => (await rowOf(name))?.['history_account'] === null);

describe('AUD-16: a log without sinks', () => {
  it('records no batches', async () => {
    await append(newId('acc_'));
    expect(await sql(`SELECT FROM audit_batches`)).toEqual([]);
  });
});

describe('AUD-16: a new sink', () => {
  it('begins with the next entry', async () => {
    const account = newId('acc_');
    await append(account, 2);
    await startWith('now');
    await append(account);
    await server.waitFor(account, 3);
    expect(seqsOf(account)).toEqual([3]);
  });

  it('begins with the first entry of each chain if it has `from: beginning`', async () => {
    const accounts = [newId('acc_'), newId('acc_'), newId('acc_')];
    for (const account of accounts) await append(account, 400);
    await startWith('archive', { from: 'beginning' });
    await append(accounts[0] as string);
    for (const [index, account] of accounts.entries())
      expect((await server.waitFor(account, index === 0 ? 401 : 400)).map(({ seq }) => seq)).toEqual(
        expect.arrayContaining(Array.from({ length: index === 0 ? 401 : 400 }, (_, n) => n + 1)),
      );
    await historyIsSent('archive');
  });

  it('waits with older entries for transactions that do not know it', async () => {
    const [account, open] = [newId('acc_'), newId('acc_')];
    await append(account);
    const commit = await appendUncommitted(without, auditRecord(open));
    expect(await sql(`SELECT FROM audit_batches`)).toEqual([]);
    const added = { name: 'patient', destination: server.url, isFromBeginning: true };
    await without.context.get(SinkRegistryRepository).add(added);
    const sender = { sink: 'patient', owner: crypto.randomUUID() };
    const sinks = without.context.get(SinkRepository);
    const leased = await sinks.lease(sender, 1_000);
    expect(leased).toMatchObject({ isHistoryComplete: false });
    if (leased) expect(await without.context.get(SinkBatchReader).next(sender, leased)).toBeUndefined();
    await commit();
    await sinks.release(sender);
    await startWith('patient', { from: 'beginning' });
    await server.waitFor(open, 1);
    await server.waitFor(account, 1);
  });
});

/** A sink that is in the settings of no instance, so that the test alone sends to it. */
async function newSink(name: string, owner = crypto.randomUUID()) {
  const { context } = without;
  const [sinks, registry] = [context.get(SinkRepository), context.get(SinkRegistryRepository)];
  const sink = { name, destination: server.url, isFromBeginning: false };
  await registry.add(sink);
  return { sinks, registry, sink, sender: { sink: name, owner } };
}

describe('AUD-16: the lease of a sink', () => {
  it('lets one process alone send and record what became of a batch', async () => {
    const { sinks, sender } = await newSink('leased');
    const other = { ...sender, owner: crypto.randomUUID() };
    const { position = NaN } = (await sinks.lease(sender, 60_000)) ?? {};
    const before = await rowOf('leased');
    expect(await sinks.lease(other, 60_000)).toBeUndefined();
    expect(await sinks.startBatch(other, position, position + 1)).toBe(false);
    await sinks.fail(other, 'TIMEOUT', 60_000);
    await sinks.release(other);
    expect(await rowOf('leased')).toEqual(before);
  });

  it('is not acquired before a retry is due, nor of a sink that was removed', async () => {
    const { sinks, sender } = await newSink('failing');
    await sinks.lease(sender, 60_000);
    await sinks.fail(sender, 'TIMEOUT', 3_600_000);
    expect(await sinks.lease(sender, 60_000)).toBeUndefined();
    await sql(`UPDATE audit_sinks SET retry_at = now() WHERE name = 'failing'`);
    expect(await sinks.lease(sender, 60_000)).toMatchObject({ failures: 1 });
    await sql(`UPDATE audit_sinks SET removed_at = now() WHERE name = 'failing'`);
    expect(await sinks.lease(sender, 60_000)).toBeUndefined();
  });
});

describe('AUD-16: a batch of a sink', () => {
  it('is begun where the sink has come to, and its end does not move', async () => {
    const { sinks, sender } = await newSink('begun');
    const { position = NaN } = (await sinks.lease(sender, 60_000)) ?? {};
    expect(await sinks.startBatch(sender, position + 1, position + 2)).toBe(false);
    expect(await sinks.startBatch(sender, position, position + 1)).toBe(true);
    expect(await sinks.startBatch(sender, position, position + 2)).toBe(false);
    expect(await sinks.lease(sender, 60_000)).toMatchObject({ batchPosition: position + 1 });
  });

  it('is the same when it is read again, although entries have followed', async () => {
    const account = newId('acc_');
    const { sinks, sender } = await newSink('repeated');
    const appendToFeed = async (entries: number) => {
      await append(account, entries);
      await until(async () => {
        await without.context.get(ExtendFeed).run(); // returns at once while a scheduled run moves them
        return (await sql(`SELECT FROM audit_batches`)).length === 0;
      });
    };
    const read = async () => {
      const leased = await sinks.lease(sender, 60_000);
      return leased && without.context.get(SinkBatchReader).next(sender, leased);
    };
    await appendToFeed(1);
    const first = await read();
    expect(first?.batch).toMatchObject({ entries: 1 });
    await appendToFeed(2);
    expect(await read()).toEqual(first);
  });
});

describe('AUD-16: the register of sinks', () => {
  it('lets a sink retry at once where its destination has changed, and leaves it alone otherwise', async () => {
    const { registry, sink } = await newSink('moving');
    await sql(
      `UPDATE audit_sinks SET failures = 3, retry_at = now() + interval '1 hour' WHERE name = 'moving'`,
    );
    const before = await rowOf('moving');
    expect(await registry.changeDestination(sink)).toBe(false);
    expect(await rowOf('moving')).toEqual(before);
    const destination = 'https://siem.example.com/in';
    expect(await registry.changeDestination({ ...sink, destination })).toBe(true);
    expect(await rowOf('moving')).toMatchObject({ destination, failures: 0, retry_at: null });
  });

  it('records once a minute that an instance has a sink', async () => {
    const { registry } = await newSink('seen');
    const isRecorded = async (age: string) => {
      await sql(`UPDATE audit_sinks SET seen_at = now() - $1::interval WHERE name = 'seen'`, age);
      const { seen_at: before } = (await rowOf('seen')) as { seen_at: Date };
      await registry.see(['seen']);
      const { seen_at: after } = (await rowOf('seen')) as { seen_at: Date };
      return after.getTime() !== before.getTime();
    };
    expect(await isRecorded('61 seconds')).toBe(true);
    expect(await isRecorded('0 seconds')).toBe(false);
  });
});

describe('AUD-16: a sink that is removed from the settings', () => {
  it('stays until no instance has had it for a quarter of an hour, then holds nothing', async () => {
    server.respond(answer(500));
    const account = newId('acc_');
    const service = await startWith('removed');
    await append(account, 3);
    await service.stop();
    const register = without.context.get(RegisterSinks);
    await register.run();
    expect(await rowOf('removed')).toMatchObject({ removed_at: null });
    await sql(`UPDATE audit_sinks SET seen_at = now() - interval '16 minutes' WHERE name = 'removed'`);
    await register.run();
    expect(await rowOf('removed')).toMatchObject({ removed_at: expect.any(Date), entries_sent: 0 });
    await without.context.get(ExtendFeed).run();
    await append(account);
    expect(await sql(`SELECT FROM audit_feed UNION ALL SELECT FROM audit_batches`)).toEqual([]);
  });

  it('begins as a new one when it is added again, and keeps its count', async () => {
    server.respond(accept);
    const account = newId('acc_');
    const service = await startWith('returning');
    await append(account);
    await server.waitFor(account, 1);
    await until(async () => (await rowOf('returning'))?.['entries_sent'] === 1);
    await service.stop();
    await sql(`UPDATE audit_sinks SET removed_at = now() WHERE name = 'returning'`);
    await append(account);
    await startWith('returning');
    await append(account);
    await server.waitFor(account, 3);
    expect(seqsOf(account)).toEqual([1, 3]);
    await until(async () => (await rowOf('returning'))?.['entries_sent'] === 2);
  });

  it('is kept by an instance that has it, whatever the time of its last registration', async () => {
    await stopSchedule(without); // An instance without the sink would remove it.
    const service = await startWith('kept');
    await sql(`UPDATE audit_sinks SET seen_at = now() - interval '1 day' WHERE name = 'kept'`);
    await service.context.get(RegisterSinks).run();
    expect(await rowOf('kept')).toMatchObject({ removed_at: null });
  });
});
