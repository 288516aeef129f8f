import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createClient } from '@redis/client';
import { eventually } from '@vaultsvc/testing/waiting';
import { sharedServers, startNats, startPostgres, startRedis, testSchema, ownerUrlOf } from './index.js';

async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('Servers for specs', () => {
  it('a schema belongs to its owner, and the role of the service reads and writes its rows alone', async () => {
    const { databaseUrl, schema, drop } = await testSchema('sparks');
    await query(
      ownerUrlOf(databaseUrl),
      'CREATE TABLE thing (id int GENERATED ALWAYS AS IDENTITY, is_new bool)',
    );
    const [row] = await query(
      databaseUrl,
      `SELECT schemaname, tableowner FROM pg_tables WHERE tablename = 'thing'`,
    );
    expect(row).toEqual({ schemaname: schema, tableowner: `${schema}_owner` });
    expect(await query(databaseUrl, 'INSERT INTO thing (is_new) VALUES (true) RETURNING id')).toEqual([
      { id: 1 },
    ]);
    await query(databaseUrl, 'UPDATE thing SET is_new = false');
    await query(databaseUrl, 'DELETE FROM thing');
    for (const text of [
      'CREATE TABLE other (id int)',
      'ALTER TABLE thing ADD COLUMN name text',
      'DROP TABLE thing',
      'TRUNCATE thing',
      'CREATE INDEX ON thing (id)',
      `CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
      `ALTER TABLE thing DISABLE ROW LEVEL SECURITY`,
    ])
      await expect(query(databaseUrl, text)).rejects.toThrow(/permission denied|must be owner/);
    await drop();
    await expect(query(databaseUrl, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });

  it('a role reads no other schema and makes nothing in public', async () => {
    const [mine, other] = await Promise.all([testSchema('sparks'), testSchema('vaults')]);
    await query(ownerUrlOf(other.databaseUrl), 'CREATE TABLE secret (id int)');
    await expect(query(mine.databaseUrl, `SELECT * FROM ${other.schema}.secret`)).rejects.toThrow(
      /permission denied/,
    );
    await expect(query(mine.databaseUrl, 'CREATE TABLE public.thing (id int)')).rejects.toThrow(
      /permission denied/,
    );
    await expect(query(mine.databaseUrl, 'CREATE SCHEMA mine')).rejects.toThrow(/permission denied/);
    await Promise.all([mine.drop(), other.drop()]);
  });

  it('the database orders text by code point and checks its pages', async () => {
    const { postgresAdminUrl } = sharedServers();
    const [row] = await query(
      postgresAdminUrl,
      `SELECT current_setting('data_checksums') AS checksums, datcollate, 'a' > 'B' AS by_code_point
       FROM pg_database WHERE datname = current_database()`,
    );
    expect(row).toMatchObject({ checksums: 'on', by_code_point: true });
  });

  it('a spec file has a Redis database of its own', async () => {
    const { redisUrl } = sharedServers();
    expect(new URL(redisUrl).pathname).toMatch(/^\/\d+$/);
    const redis = await createClient({ url: redisUrl }).connect();
    expect(await redis.dbSize()).toBe(0);
    expect(await redis.configGet('maxmemory-policy')).toEqual({ 'maxmemory-policy': 'noeviction' });
    redis.destroy();
  });
});

describe('A killed server', () => {
  const stops: (() => Promise<void>)[] = [];
  afterAll(() => Promise.all(stops.map((stop) => stop())));

  it('PostgreSQL returns on the same port with all that it had committed', async () => {
    const postgres = await startPostgres();
    stops.push(() => postgres.stop());
    await query(postgres.url, 'CREATE TABLE kept AS SELECT 7 AS seven');
    const before = postgres.pid;
    await postgres.kill('SIGKILL');
    expect(postgres.pid).toBe(0);
    await postgres.restart();
    expect(postgres.pid).not.toBe(before);
    expect(await query(postgres.url, 'SELECT seven FROM kept')).toEqual([{ seven: 7 }]);
  });

  it('Redis returns on the same port', async () => {
    const redis = await startRedis();
    stops.push(() => redis.stop());
    await redis.kill('SIGKILL');
    await redis.restart();
    const client = await createClient({ url: redis.url }).connect();
    expect(await client.ping()).toBe('PONG');
    client.destroy();
  });

  it('PostgreSQL leaves no backend behind, not even one that is busy', async () => {
    const postgres = await startPostgres();
    stops.push(() => postgres.stop());
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => undefined);
    await client.connect();
    const [backend] = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
    const busy = client.query('DO $$ BEGIN LOOP END LOOP; END $$').catch((error: unknown) => error);
    await eventually(
      () =>
        query(postgres.url, `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'DO%'`),
      (active) => active.some(({ pid }) => pid === backend?.pid),
    );
    await postgres.kill('SIGKILL');
    expect(await busy).toBeInstanceOf(Error);
  });

  it('NATS returns on the same port', async () => {
    const nats = await startNats();
    stops.push(() => nats.stop());
    await nats.kill('SIGKILL');
    await nats.restart();
    expect(nats.pid).toBeGreaterThan(0);
  });
});

describe('A paused server', () => {
  it('answers nothing until it is resumed', async () => {
    const redis = await startRedis();
    const client = await createClient({ url: redis.url }).connect();
    redis.pause();
    const answer = client.ping();
    const first = await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 200, 'nothing'))]);
    expect(first).toBe('nothing');
    redis.resume();
    expect(await answer).toBe('PONG');
    client.destroy();
    await redis.stop();
  });
});
