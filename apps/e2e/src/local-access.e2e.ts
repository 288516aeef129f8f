import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createClient } from '@redis/client';
import { postgresDirs } from '../../../tools/stack/postgres-folders.ts';
import { stackPaths } from '../../../tools/stack/settings.ts';
import { stack } from './stack.js';

const { objects_dir, postgres_url, postgres_shard_url, redis_url, kms_url } = stack();
const dir = dirname(objects_dir);
const databases = postgresDirs(stackPaths({ VAULTSVC_DIR: dir })).filter((folder) => existsSync(folder));
/** The servers of PostgreSQL and Redis; with `TEST_CLUSTERS=1` there are more. */
const [databaseCount, redisCount] = postgres_shard_url ? [4, 6] : [1, 1];
/** Bits of a mode that let other users of the machine in. */
const OTHERS = 0o077;

describe('OPEN-51: the servers of the local stack', () => {
  it('keep their data in folders that other users of the machine cannot enter', () => {
    const others = ['redis', 'nats', 'kms'].map((name) => join(dir, name));
    const folders = [dir, objects_dir, ...databases, ...others];
    expect(databases).toHaveLength(databaseCount);
    for (const folder of folders) expect([folder, statSync(folder).mode & OTHERS]).toEqual([folder, 0]);
  });

  it('keep their passwords and keys in files that only their owner can read', () => {
    // A cluster of Redis has one for each server.
    const users = readdirSync(join(dir, 'redis'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('users.acl'))
      .map((name) => join('redis', name));
    expect(users).toHaveLength(redisCount);
    const own = ['stack.json', 'secrets.json', 'account.json', 'kms/grants.json', 'kms/keys.json', ...users];
    // A standby has the password of its primary in it.
    const settings = databases.map((folder) => join(folder, 'postgresql.auto.conf'));
    for (const file of [...own.map((name) => join(dir, name)), ...settings])
      expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
  });

  it('appear in the list of processes without a secret', () => {
    const secrets = Object.values(JSON.parse(readFileSync(join(dir, 'secrets.json'), 'utf8')) as object)
      .flatMap((value: string | object) => (typeof value === 'string' ? [value] : Object.values(value)))
      .map(String);
    expect(secrets.length).toBeGreaterThan(20);
    const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
    expect(processes).toContain(dir);
    expect(secrets.filter((secret) => processes.includes(secret))).toEqual([]);
  });

  it('let nobody in without a password: PostgreSQL, Redis and KMS', async () => {
    const anonymous = Object.assign(new URL(postgres_url), { password: '' });
    const stranger = new pg.Client({ connectionString: anonymous.href });
    await expect(stranger.connect()).rejects.toThrow(/password|SASL/);
    await stranger.end();
    const redis = connect({ port: Number(new URL(redis_url).port), host: '127.0.0.1' });
    redis.write('PING\r\n');
    expect(String(await once(redis, 'data'))).toMatch(/^-NOAUTH/);
    redis.destroy();
    const headers = { 'x-amz-target': 'TrentService.GenerateRandom' };
    const unsigned = await fetch(kms_url, { method: 'POST', headers, body: '{"NumberOfBytes":1}' });
    expect(await unsigned.json()).toMatchObject({ __type: 'MissingAuthenticationTokenException' });
  });

  it('let in the inspector of stack.json', async () => {
    const client = new pg.Client({ connectionString: postgres_url });
    await client.connect();
    const { rows } = await client.query<{ owner: string }>(
      `SELECT DISTINCT tableowner AS owner FROM pg_tables WHERE schemaname IN ('auth', 'sparks', 'vaults') ORDER BY 1`,
    );
    await client.end();
    expect(rows.map(({ owner }) => owner)).toEqual(['auth_owner', 'sparks_owner', 'vaults_owner']);
    const redis = await createClient({ url: redis_url }).connect();
    expect(await redis.aclWhoAmI()).toBe('inspector');
    redis.destroy();
  });
});
