import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { rowsOf } from '@vaultsvc/testing/harness';
import { eventually, until } from '@vaultsvc/testing/waiting';
import { buildService, startProcess, waitForOutput } from '@vaultsvc/tools-testing/service-process';
import { reporting } from '../../service-definition.js';
import { appendRecords, auditRecord } from '../../testing/audit-records.js';
import { accept, hang, SinkServer } from '../../testing/sink-server.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const appender = useService(harness, reporting);
let server: SinkServer;
let bundle: string;
beforeAll(async () => {
  server = await SinkServer.start();
  bundle = await buildService('reporting');
});
afterAll(() => server.stop());

const settingsOf = (name: string) => ({
  AUDIT_SINKS: JSON.stringify([server.settings(name, { timeout_seconds: 60 })]),
});
const start = (name: string) => harness.start(reporting, settingsOf(name));
const sql = (text: string, ...values: unknown[]) => rowsOf(appender, text, values);
const isAdded = (name: string) => async () =>
  (await sql(`SELECT FROM audit_sinks WHERE name = $1`, name)).length > 0;
const sent = async (name: string) =>
  (await sql(`SELECT entries_sent FROM audit_sinks WHERE name = $1`, name))[0]?.['entries_sent'];
const hasSent = (name: string, entries: number) =>
  eventually(
    () => sent(name),
    (value) => value === entries,
  );
const append = (account: string) => appendRecords(appender, auditRecord(account));
const requestsOf = (name: string) =>
  server.received.filter(({ headers }) => String(headers['idempotency-key']).startsWith(`"${name}-0`));

/** Ends the lease of a process that has died, which takes a minute otherwise. */
const expireLease = (name: string) =>
  sql(`UPDATE audit_sinks SET lease_until = now() - interval '1 second' WHERE name = $1`, name);

describe('AUD-16: instances with the same sink', () => {
  it('send each batch once, one at a time', async () => {
    const account = newId('acc_');
    const instances: RunningService[] = [await start('shared'), await start('shared')];
    await until(isAdded('shared'));
    server.concurrency = 0;
    for (let n = 1; n <= 5; n += 1) {
      await Promise.all([append(account), append(account)]);
      await hasSent('shared', 2 * n);
    }
    expect(server.linesOf(account).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(server.concurrency).toBe(1);
    await Promise.all(instances.map((instance) => instance.stop()));
  });

  it('take over when the sending one stops, with the batch that it did not finish', async () => {
    const account = newId('acc_');
    const first = await start('stopped');
    await until(isAdded('stopped'));
    server.respond(hang);
    await append(account);
    await eventually(
      () => requestsOf('stopped'),
      ({ length }) => length === 1,
    );
    const second = await start('stopped');
    await append(account);
    server.respond(accept);
    await first.stop();
    await hasSent('stopped', 2);
    const [before, after] = requestsOf('stopped');
    expect(after).toMatchObject({
      body: before?.body,
      headers: { 'idempotency-key': before?.headers['idempotency-key'] },
    });
    expect(server.linesOf(account).map(({ seq }) => seq)).toEqual([1, 1, 2]);
    await second.stop();
  });

  it('take over when the sending one is killed between a batch and its cursor', async () => {
    const account = newId('acc_');
    const settings = { ...settingsOf('killed'), LOG_LEVEL: 'info' };
    const program = startProcess(bundle, 'main', await harness.environment('reporting', settings));
    await waitForOutput(program, '"msg":"ready"');
    await until(isAdded('killed'));
    server.respond(hang); // the sink has received the batch, and the sender does not know it
    await append(account);
    await eventually(
      () => requestsOf('killed'),
      ({ length }) => length === 1,
    );
    program.process.kill('SIGKILL');
    await program.ended;
    server.respond(accept);
    const survivor = await start('killed');
    expect(await sent('killed')).toBe(0);
    await expireLease('killed');
    await hasSent('killed', 1);
    const [before, after] = requestsOf('killed');
    expect(after?.body).toBe(before?.body);
    expect(after?.headers['idempotency-key']).toBe(before?.headers['idempotency-key']);
    await survivor.stop();
  });

  it('leave a sink alone while another one has its lease', async () => {
    const account = newId('acc_');
    const instance = await start('leased');
    await until(isAdded('leased'));
    const owner = crypto.randomUUID();
    const lease = `UPDATE audit_sinks SET lease_owner = $2, lease_until = now() + interval '1 minute' WHERE name = 'leased'`;
    await sql(`${lease} AND $1::text IS NOT NULL`, 'leased', owner);
    await append(account);
    await until(
      async () => (await sql(`SELECT FROM audit_feed WHERE account_id = $1`, account)).length === 1,
    );
    expect(await sent('leased')).toBe(0);
    await expireLease('leased');
    await hasSent('leased', 1);
    await instance.stop();
  });
});
