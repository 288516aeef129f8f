import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UsageError } from '@vaultsvc/config';
import {
  createApiKey,
  listApiKeys,
  readJwks,
  resolveCredential,
  revokeApiKey,
} from '@vaultsvc/contracts/auth';
import { lookupHash, parseToken } from '@vaultsvc/crypto/tokens';
import { accountContext, type Harness, internalContext, startHarness } from '@vaultsvc/testing/harness';
import { sharedServers } from '@vaultsvc/testing/servers';
import { asOwner, buildService } from '@vaultsvc/tools-testing/service-process';
import pg from 'pg';
import { createClient } from '@redis/client';
import { readArguments } from './first-account.js';

const run = promisify(execFile);

interface FirstAccount {
  readonly account_id: string;
  readonly organization_name: string;
  readonly owner_email: string;
  readonly api_key: string;
}

let harness: Harness;
let dist: string;
let env: Record<string, string>;
let auth: ChildProcess | undefined;
let logs = '';
let account: FirstAccount;

const program = (name: string, ...args: string[]) =>
  run(process.execPath, ['--no-warnings', join(dist, `${name}.js`), ...args], { env });
const failure = (name: string, ...args: string[]) =>
  program(name, ...args).then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: number; stderr: string }) => error,
  );
const query = async (sql: string, values: unknown[] = []) => {
  const client = new pg.Client({ connectionString: env['DATABASE_URL'] });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows;
  } finally {
    await client.end();
  }
};

/** Starts the built service and resolves when it logs that it is ready. */
function startAuth(): Promise<void> {
  const child = spawn(process.execPath, ['--no-warnings', join(dist, 'main.js')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  auth = child;
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`auth ended:\n${logs}`)));
    const read = (data: Buffer) => {
      logs += data.toString();
      if (logs.includes('"msg":"ready"')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
}

beforeAll(async () => {
  harness = await startHarness();
  env = await harness.environment('auth', { LOG_LEVEL: 'trace', NODE_ENV: 'production' });
  dist = await buildService('auth');
});

afterAll(async () => {
  auth?.kill('SIGKILL');
  await harness.stop();
});

describe('OPEN-62: the bootstrap job', () => {
  it('prints its usage and exits with 2 when its arguments are invalid', async () => {
    const owner = ['--email', 'a@b.test'];
    const wrong = [
      [],
      owner,
      [...owner, '--organization', ' '],
      [...owner, '--organization', 'x'.repeat(256)],
      ['--mail', 'x'],
      ['x'],
    ];
    const wrongEmails = [
      '',
      'owner',
      'a@b',
      '@b.test',
      'a b@c.test',
      'a@b@c.test',
      `${'a'.repeat(250)}@b.test`,
    ];
    for (const args of [...wrong, ...wrongEmails.map((email) => ['--email', email, '--organization', 'x'])]) {
      expect(() => readArguments(args)).toThrow(UsageError);
    }
    expect(await failure('bootstrap', '--email', 'owner', '--organization', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Usage: node bootstrap.js --email'),
    });
  });

  it('exits with 1 when the schema is not migrated', async () => {
    expect(await failure('bootstrap', '--email', 'a@b.test', '--organization', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('run the migrate job first'),
    });
  });

  it('creates the first account and prints it with its API key as one line of JSON', async () => {
    await run(process.execPath, ['--no-warnings', join(dist, 'migrate.js')], { env: asOwner(env) });
    const { stdout } = await program(
      'bootstrap',
      '--email',
      'Ann@Example.test',
      '--organization',
      ' Örganization "x" ',
    );
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    account = JSON.parse(stdout) as FirstAccount;
    expect(account).toEqual({
      account_id: expect.stringMatching(/^acc_[0-9A-Za-z]{22}$/),
      organization_name: 'Örganization "x"',
      owner_email: 'Ann@Example.test',
      api_key: expect.stringMatching(/^vk_live_/),
    });
    expect(await query('SELECT role, seat, status, email, joins_at_sign_in FROM users')).toEqual([
      { role: 'owner', seat: 'full', status: 'invited', email: 'Ann@Example.test', joins_at_sign_in: true },
    ]);
    const events = await query('SELECT name FROM recorded_events ORDER BY seq');
    expect(events.map(({ name }) => name)).toEqual([
      'auth.account-created',
      'auth.user-added',
      'auth.api-key-created',
    ]);
  });

  it('rejects an address that has an account, in any spelling, and creates nothing', async () => {
    expect(
      await failure('bootstrap', '--email', 'ＡNN@example.TEST', '--organization', 'Second'),
    ).toMatchObject({
      code: 1,
      stderr: 'This e-mail address already belongs to an organization.\n',
    });
    expect(await query('SELECT organization_name FROM accounts')).toHaveLength(1);
  });
});

describe('MISC-03: an API key', () => {
  const keys: string[] = [];

  it('is created, resolved, listed and revoked by the built service', async () => {
    await startAuth();
    const caller = accountContext({ accountId: account.account_id });
    const made = await harness.bus.call(createApiKey, { body: { name: 'canary' } }, caller);
    keys.push(account.api_key, made.api_key);
    for (const key of keys) {
      const lookup = lookupHash('apikey', parseToken('apikey', key) ?? Buffer.alloc(0)).toString('hex');
      const body = { kind: 'api_key', key: lookup } as const;
      expect(await harness.bus.call(resolveCredential, { body }, internalContext())).toEqual({
        found: true,
      });
    }
    await harness.bus.call(listApiKeys, { query: { limit: 50 } }, caller);
    await harness.bus.call(revokeApiKey, { params: { api_key_id: made.api_key_id } }, caller);
    // One signs access tokens, the other receipts.
    expect((await harness.bus.call(readJwks, {}, internalContext())).keys).toHaveLength(2);
  });

  it('appears in no row, Redis value or log line, in any encoding', async () => {
    const stores = { rows: await dumpOfRows(), redis: await dumpOfRedis(), logs };
    expect(stores.rows).toContain(account.account_id);
    expect(stores.redis).toContain(account.account_id);
    for (const [store, content] of Object.entries(stores)) {
      for (const encoded of keys.flatMap(encodingsOf)) {
        expect({ store, found: content.includes(encoded) }).toEqual({ store, found: false });
      }
    }
  });
});

describe('the built service', () => {
  it('exits with 0 on SIGTERM without logging an error', async () => {
    const ended = new Promise((resolve) => auth?.once('close', (code) => resolve(code)));
    const before = logs.length;
    auth?.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(logs.slice(before)).not.toContain('"level":"error"');
  });
});

/** The key, its part without prefix and checksum, and its 32 bytes; each in clear, in base64 and in hex. */
function encodingsOf(key: string): string[] {
  const secret = parseToken('apikey', key) ?? Buffer.alloc(0);
  const text = Buffer.from(key);
  const inBase64 = [0, 1, 2].map((offset) => text.subarray(offset).toString('base64').slice(0, 60));
  return [
    key,
    key.slice(8, -6),
    text.toString('hex'),
    ...inBase64,
    secret.toString('hex'),
    secret.toString('base64'),
    secret.toString('base64url'),
  ];
}

async function dumpOfRows(): Promise<string> {
  const tables = await query(`SELECT tablename FROM pg_tables WHERE schemaname = $1`, [
    env['DATABASE_SCHEMA'],
  ]);
  const dumps = tables.map(({ tablename }) => query(`SELECT t::text AS row FROM "${String(tablename)}" t`));
  return JSON.stringify(await Promise.all(dumps));
}

async function dumpOfRedis(): Promise<string> {
  const client = createClient({ url: sharedServers().redisUrl });
  await client.connect();
  try {
    const names = await client.keys('*');
    const values = await Promise.all(
      names.map((name) => (name === 'used' ? client.hGetAll(name) : client.get(name))),
    );
    return JSON.stringify([names, values]);
  } finally {
    client.destroy();
  }
}
