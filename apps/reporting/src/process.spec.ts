import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadPoolSnapshot } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { type Harness, internalContext, startHarness } from '@vaultsvc/testing/harness';
import { sharedServers } from '@vaultsvc/testing/servers';
import {
  buildService,
  startProcess,
  waitForOutput,
  type ServiceProcess,
} from '@vaultsvc/tools-testing/service-process';
import pg from 'pg';
import { freePort } from '../../../tools/stack/servers/ports.ts';
import { storage } from './storage.js';

let harness: Harness;
let admin: pg.Client;
let bundle: string;
let settings: Record<string, string>;

beforeAll(async () => {
  harness = await startHarness();
  bundle = await buildService('reporting');
  settings = await harness.environment('reporting', { LOG_LEVEL: 'info' });
  admin = new pg.Client({ connectionString: sharedServers().postgresAdminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await harness.stop();
});

/** Starts a program of the bundle. */
const run = (name: 'main' | 'migrate', env: Record<string, string>) => startProcess(bundle, name, env);
const ready = (program: ServiceProcess) => waitForOutput(program, '"msg":"ready"');

const load = (accountId: string) =>
  harness.bus.call(loadPoolSnapshot, { body: { account_id: accountId } }, internalContext());

describe('the bundled service', () => {
  it('names every missing or invalid setting before it connects, without values', async () => {
    const program = run('main', {
      CALL_KEYS: 'hunter2',
      DATABASE_URL: 'hunter2',
      STORAGE_POOL_BYTES: '-1',
    });
    expect(await program.ended).toBe(1);
    for (const name of [
      'NATS_URL',
      'CALL_KEYS',
      'EVENT_SIGNING_KEY',
      'DATABASE_URL',
      'REDIS_URL',
      'STORAGE_POOL_BYTES',
    ]) {
      expect(program.output()).toContain(`  ${name} `);
    }
    expect(program.output()).not.toContain('hunter2');
  });

  it('OPEN-51: names every server without TLS or credentials before it connects, with PROFILE=production', async () => {
    const program = run('main', { ...settings, PROFILE: 'production' });
    expect(await program.ended).toBe(1);
    for (const name of ['NATS_URL', 'DATABASE_URL', 'REDIS_URL'])
      expect(program.output()).toContain(`  ${name} `);
    expect(program.output()).not.toContain(new URL(settings['DATABASE_URL'] ?? '').password);
  });

  it('does not start on a schema with pending migrations', async () => {
    const program = run('main', settings);
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain('run the migrate job first');
  });

  it('is migrated once by its job', async () => {
    const { DATABASE_URL = '', DATABASE_SCHEMA = '' } = settings;
    const first = run('migrate', { PROFILE: 'local', DATABASE_URL, DATABASE_SCHEMA });
    expect([await first.ended, first.output()]).toEqual([
      0,
      expect.stringContaining(`${storage.migrations.length} migrations applied`),
    ]);
    const second = run('migrate', settings);
    expect([await second.ended, second.output()]).toEqual([
      0,
      expect.stringContaining('0 migrations applied'),
    ]);
  });

  it.each([[['SIGTERM']], [['SIGTERM', 'SIGTERM']], [['SIGTERM', 'SIGINT']], [['SIGINT']]] as const)(
    'finishes running calls on %s, then exits with 0',
    async ([signal, second]) => {
      const program = run('main', settings);
      await ready(program);
      const { schema } = await harness.schema('reporting');
      const account = newId('acc_');
      // The handler is running once it waits for this lock.
      await admin.query('BEGIN');
      await admin.query(`LOCK TABLE ${schema}.pools IN ACCESS EXCLUSIVE MODE`);
      const answer = load(account);
      const waits = `SELECT 1 FROM pg_locks WHERE relation = '${schema}.pools'::regclass AND NOT granted`;
      while ((await admin.query(waits)).rowCount === 0);
      program.process.kill(signal);
      await waitForOutput(program, '"msg":"stopping"');
      if (second) program.process.kill(second);
      await admin.query('COMMIT');
      expect(await answer).toEqual({});
      expect(await program.ended).toBe(0);
      expect(program.output()).toMatch(/"msg":"stopping".*\n.*"msg":"stopped"/);
      await expect(load(account)).rejects.toMatchObject({ cause: { service: 'reporting' } });
    },
  );

  it('still answers after it reports not ready, until load balancers have noticed', async () => {
    const port = await freePort();
    const program = run('main', { ...settings, PRIVATE_PORT: String(port), SHUTDOWN_DELAY_MS: '8000' });
    await ready(program);
    const status = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
    expect(await status()).toBe(200);
    program.process.kill('SIGTERM');
    await waitForOutput(program, '"msg":"stopping"');
    expect(await status()).toBe(503);
    expect(await load(newId('acc_'))).toEqual({});
    expect(await program.ended).toBe(0);
  });

  it('logs JSON lines without its keys and passwords, and names settings that it does not know', async () => {
    const program = run('main', { ...settings, LOG_LEVEL: 'trace', STORAGE_POOL_BYTE: 'hunter2' });
    await ready(program);
    expect(program.output()).toContain(
      '"unknown setting STORAGE_POOL_BYTE: did you mean STORAGE_POOL_BYTES?"',
    );
    expect(program.output()).not.toContain('hunter2');
    await load(newId('acc_'));
    program.process.kill('SIGTERM');
    expect(await program.ended).toBe(0);
    const lines = program.output().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
      lines.map(() => expect.objectContaining({ service: 'reporting' })),
    );
    const { password } = new URL(settings['DATABASE_URL'] as string);
    expect(program.output()).not.toContain(password);
    expect(program.output()).not.toContain(settings['EVENT_SIGNING_KEY']);
  });
});
