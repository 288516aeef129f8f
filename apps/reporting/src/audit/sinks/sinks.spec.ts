import { afterEach, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { rowsOf } from '@vaultsvc/testing/harness';
import { eventually, until } from '@vaultsvc/testing/waiting';
import { bodyHash, entryHash, FIRST_PREV_HASH, type JsonObject } from '@vaultsvc/transparency';
import { register } from 'prom-client';
import { reporting } from '../../service-definition.js';
import { appendRecords, appendUncommitted, auditRecord } from '../../testing/audit-records.js';
import { accept, answer, cut, hang, SinkServer, type ReceivedLine } from '../../testing/sink-server.js';
import { AuditErasureRepository } from '../audit-erasure.repository.js';
import { RegisterSinks } from './register-sinks.job.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
/** Without sinks: it appends, and registers none. Its transactions may stay open while a test waits. */
const other = useService(harness, reporting, { DATABASE_STATEMENT_MS: '60000' });
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

let serial = 0;
const newSink = () => `sink-${(serial += 1)}`;

async function startServer(respond?: Parameters<typeof SinkServer.start>[0]): Promise<SinkServer> {
  const server = await SinkServer.start(respond);
  cleanups.push(() => server.stop());
  return server;
}

/** An instance with these sinks, which are registered. */
async function startWith(...sinks: readonly object[]): Promise<RunningService> {
  const service = await harness.start(reporting, { AUDIT_SINKS: JSON.stringify(sinks) });
  cleanups.push(() => service.stop());
  await service.context.get(RegisterSinks).run();
  return service;
}

interface SinkRow extends Record<string, unknown> {
  readonly failures: number;
  readonly entries_sent: number;
  readonly last_error: string | null;
  readonly retry_seconds: number | null;
}

const sql = (text: string, ...values: unknown[]) => rowsOf(other, text, values);

async function rowOf(name: string): Promise<SinkRow> {
  const rows = await rowsOf<SinkRow>(
    other,
    `SELECT *, extract(epoch FROM retry_at - now())::float AS retry_seconds FROM audit_sinks WHERE name = $1`,
    [name],
  );
  return rows[0] as SinkRow;
}

const rowWhere = (name: string, holds: (row: SinkRow) => boolean) => eventually(() => rowOf(name), holds);
/** Waits until the sink has received so many entries, without the delay of its next retry. */
const entriesSent = (name: string, entries: number) =>
  eventually(
    async () => {
      await sql(`UPDATE audit_sinks SET retry_at = NULL WHERE name = $1`, name);
      return rowOf(name);
    },
    (row) => row.entries_sent === entries,
  );
const seqsOf = (lines: readonly ReceivedLine[]) => lines.map(({ seq }) => seq);
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

async function append(account: string, entries = 1): Promise<void> {
  await appendRecords(other, ...Array.from({ length: entries }, () => auditRecord(account)));
}

/** Fails unless each line follows from its body and from the line before it. */
function verify(lines: readonly ReceivedLine[]): void {
  let previous = FIRST_PREV_HASH.toString('hex');
  for (const { kind, account, seq, at, type, salt, body_hash, prev_hash, hash, ...body } of lines) {
    expect([kind, prev_hash]).toEqual(['entry', previous]);
    const hashed = bodyHash(Buffer.from(String(salt), 'hex'), body as JsonObject);
    expect(hashed.toString('hex')).toBe(body_hash);
    const facts = { account, seq, at: Number(at), type: String(type) };
    const expected = entryHash(Buffer.from(String(prev_hash), 'hex'), facts, hashed);
    previous = expected.toString('hex');
    expect(hash).toBe(previous);
  }
}

describe('AUD-16: a sink over HTTP', () => {
  it('receives every entry in the order of its chain, as a verifiable line with its account', async () => {
    const [server, sink, account] = [await startServer(), newSink(), newId('acc_')];
    const service = await startWith(server.settings(sink, { authorization: 'Bearer hunter2' }));
    await append(account, 3);
    await append(account, 2);
    await appendRecords(service, auditRecord(account));
    const lines = await server.waitFor(account, 6);
    expect(seqsOf(lines)).toEqual(numbers(1, 6));
    verify(lines);
    expect(server.received[0]?.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      authorization: 'Bearer hunter2',
      'idempotency-key': expect.stringMatching(new RegExp(`^"${sink}-\\d{16}-[0-9a-f]{16}"$`)),
    });
    expect(await rowWhere(sink, (row) => row.entries_sent === 6)).toMatchObject({ failures: 0 });
  });

  it('receives the entries that were appended while it failed, once it works again', async () => {
    const [server, sink, account] = [await startServer(answer(500)), newSink(), newId('acc_')];
    await startWith(server.settings(sink));
    await append(account);
    await rowWhere(sink, ({ failures }) => failures >= 2);
    await append(account, 2);
    server.respond(answer(200));
    const row = await entriesSent(sink, 3);
    const lines = server.linesOf(account);
    const [first, ...repetitions] = server.received;
    for (const { headers, body } of repetitions.slice(0, -1)) {
      expect(body).toBe(first?.body);
      expect(headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    }
    expect(seqsOf(lines).slice(-2)).toEqual([2, 3]);
    expect(row).toMatchObject({ last_error: 'HTTP 500', failures: 0, retry_seconds: null });
  });

  it.each([
    ['cuts the connection', cut, 'ECONNRESET'],
    ['does not answer in time', hang, 'TIMEOUT'],
  ])(
    'receives the same lines under the same key again when it %s after receiving them',
    async (_, fail, reason) => {
      const [server, sink, account] = [await startServer(fail), newSink(), newId('acc_')];
      await startWith(server.settings(sink, { timeout_seconds: 1 }));
      await append(account, 2);
      await rowWhere(sink, ({ last_error }) => last_error === reason);
      server.respond(answer(202));
      await entriesSent(sink, 2);
      const [first, ...repetitions] = server.received;
      expect(repetitions.length).toBeGreaterThan(0);
      for (const { headers, body } of repetitions) {
        expect(body).toBe(first?.body);
        expect(headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
      }
    },
  );

  it('is not asked again before the time that it names in Retry-After', async () => {
    const account = newId('acc_');
    const [seconds, date] = [newSink(), newSink()];
    const inHalfAnHour = new Date(Date.now() + 1_800_000).toUTCString();
    const busy = await startServer(answer(503, { 'retry-after': '1800' }));
    const busyToo = await startServer(answer(429, { 'retry-after': inHalfAnHour }));
    await startWith(busy.settings(seconds), busyToo.settings(date));
    await append(account);
    for (const [name, server] of [
      [seconds, busy],
      [date, busyToo],
    ] as const) {
      const { retry_seconds: retry } = await rowWhere(name, ({ failures }) => failures === 1);
      expect(retry).toBeGreaterThan(1_700);
      expect(server.received).toHaveLength(1);
    }
  });

  it('does not have its redirects followed', async () => {
    const [server, target, sink] = [await startServer(), await startServer(), newSink()];
    server.respond(answer(307, { location: target.url }));
    await startWith(server.settings(sink));
    await append(newId('acc_'));
    expect(await rowWhere(sink, ({ failures }) => failures > 0)).toMatchObject({ last_error: 'HTTP 307' });
    expect(target.received).toEqual([]);
  });

  it('receives at most 1 MiB at once', async () => {
    const [server, account] = [await startServer(), newId('acc_')];
    await startWith(server.settings(newSink()));
    const large = () => auditRecord(account, { details: { note: 'x'.repeat(8_000) } });
    await appendRecords(other, ...Array.from({ length: 300 }, large));
    verify(await server.waitFor(account, 300));
    const sizes = server.received.map(({ body }) => Buffer.byteLength(body));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024);
    expect(sizes.length).toBeGreaterThanOrEqual(3);
  });
});

describe('AUD-16 AUD-13: entries of a deleted vault', () => {
  it('are sent as erased when they were erased before', async () => {
    const [server, sink] = [await startServer(answer(500)), newSink()];
    const [account, vaultId] = [newId('acc_'), newId('vlt_')];
    const { context } = await startWith(server.settings(sink));
    const details = { vault_id: vaultId };
    await appendRecords(
      other,
      auditRecord(account, { type: 'vault_created', vaultId, details }),
      auditRecord(account, {
        type: 'folder_created',
        vaultId,
        details: { ...details, folder_id: 'hunter2' },
      }),
      auditRecord(account, { type: 'vault_deleted', vaultId, details }),
    );
    await rowWhere(sink, ({ failures }) => failures > 0);
    await sql(`INSERT INTO audit_erasures (account_id, vault_id) VALUES ($1, $2)`, account, vaultId);
    await context.get(AuditErasureRepository).eraseSome();
    await until(
      async () =>
        (await sql(`SELECT FROM audit_erasures WHERE vault_id = $1 AND erased_at IS NULL`, vaultId))
          .length === 0,
    );
    const before = server.received.length;
    server.respond(accept);
    await entriesSent(sink, 3);
    const lines = server.linesOf(account).slice(-3);
    expect(lines.map(({ erased }) => erased)).toEqual([undefined, true, undefined]);
    expect(server.received.slice(before).map(({ body }) => body)).not.toContainEqual(
      expect.stringContaining('hunter2'),
    );
    const keys = new Set(server.received.map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).toBe(1);
  });
});

describe('AUD-16: a sink that hangs', () => {
  it('delays no other sink, no append and no shutdown', async () => {
    const [stuck, server, account] = [await startServer(hang), await startServer(), newId('acc_')];
    const [name, working] = [newSink(), newSink()];
    const service = await startWith(stuck.settings(name, { timeout_seconds: 60 }), server.settings(working));
    await append(account);
    await stuck.waitForRequests(1);
    await append(account, 2);
    expect(seqsOf(await server.waitFor(account, 3))).toEqual([1, 2, 3]);
    await service.stop(); // the test would time out before the sink does
    expect(await rowOf(name)).toMatchObject({ entries_sent: 0, failures: 0, lease_owner: null });
  });
});

describe('AUD-16: the feed', () => {
  it('loses nothing of a transaction that commits after later ones', async () => {
    const [server, late, early] = [await startServer(), newId('acc_'), newId('acc_')];
    await startWith(server.settings(newSink()));
    const commit = await appendUncommitted(other, auditRecord(late), auditRecord(late));
    await append(early);
    await server.waitFor(early, 1);
    expect(server.linesOf(late)).toEqual([]);
    await commit();
    await append(late);
    verify(await server.waitFor(late, 3));
  });

  it('keeps the order of each chain while two instances append to the same accounts at once', async () => {
    const server = await startServer();
    const service = await startWith(server.settings(newSink()));
    const accounts = [newId('acc_'), newId('acc_'), newId('acc_')];
    const batches = Array.from({ length: 30 }, (_, n) =>
      appendRecords(n % 2 ? service : other, ...accounts.flatMap((id) => [auditRecord(id), auditRecord(id)])),
    );
    await Promise.all(batches);
    for (const account of accounts) {
      const lines = await server.waitFor(account, 60);
      expect(seqsOf(lines)).toEqual(numbers(1, 60));
      verify(lines);
    }
  });

  it('is deleted when all sinks have received it', async () => {
    const [server, failing] = [await startServer(), await startServer(answer(500))];
    const [account, working, broken] = [newId('acc_'), newSink(), newSink()];
    await startWith(server.settings(working), failing.settings(broken));
    await sql(`UPDATE audit_sinks SET removed_at = now() WHERE name NOT IN ($1, $2)`, working, broken);
    await append(account, 70);
    await server.waitFor(account, 70);
    const left = () => sql(`SELECT first_seq, last_seq FROM audit_feed WHERE account_id = $1`, account);
    expect(await left()).toHaveLength(2);
    failing.respond(accept);
    await entriesSent(broken, 70);
    await until(async () => (await left()).length === 0);
  });
});

describe('AUD-16: metrics of a sink', () => {
  const valueOf = async (metric: string, sink?: string) =>
    (await register.getSingleMetric(metric)?.get())?.values.find(({ labels }) => labels['sink'] === sink)
      ?.value;

  it('count its failures, and the number and age of the entries that it lacks', async () => {
    const [server, sink, account] = [await startServer(answer(500)), newSink(), newId('acc_')];
    const { context } = await startWith(server.settings(sink));
    await append(account, 3);
    await rowWhere(sink, ({ failures }) => failures > 0);
    await sql(`UPDATE audit_feed SET appended_at = now() - interval '1 hour' WHERE account_id = $1`, account);
    await append(account);
    await context.get(RegisterSinks).run();
    expect(await valueOf('vaultsvc_audit_sink_entries_behind', sink)).toBe(4);
    expect(await valueOf('vaultsvc_audit_sink_oldest_unsent_seconds', sink)).toBeGreaterThan(3_590);
    expect(await valueOf('vaultsvc_audit_sink_failures_total', sink)).toBeGreaterThan(0);
    expect(await valueOf('vaultsvc_audit_sinks')).toBeGreaterThan(0);
  });
});
