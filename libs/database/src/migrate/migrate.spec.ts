import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig, StatefulConfig } from '@vaultsvc/config';
import { ownerUrlOf, testSchema, type TestSchema } from '@vaultsvc/testing/servers';
import { wireSettings } from '@vaultsvc/testing/wire';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createMigrationSource, type Storage } from '../data-source.js';
import { DatabaseModule } from '../database.module.js';
import { migrate } from './migrate.js';

class CreateThings1700000000000 implements MigrationInterface {
  readonly name = 'CreateThings1700000000000';
  async up(runner: QueryRunner) {
    await runner.query(`CREATE TABLE things (id int)`);
    await runner.query(`SELECT pg_sleep(0.2)`); // long enough that a second job without a lock would be inside too
  }
  async down(runner: QueryRunner) {
    await runner.query(`DROP TABLE things`);
  }
}
class BreakHalfway1700000000001 implements MigrationInterface {
  readonly name = 'BreakHalfway1700000000001';
  async up(runner: QueryRunner) {
    await runner.query(`CREATE TABLE halves (id int)`);
    await runner.query(`SELECT no_such_function()`);
  }
  async down() {}
}
class AddLater1700000000002 implements MigrationInterface {
  readonly name = 'AddLater1700000000002';
  async up(runner: QueryRunner) {
    await runner.query(`CREATE TABLE later (id int)`);
  }
  async down() {}
}
class CreateAll1700000000003 implements MigrationInterface {
  readonly name = 'CreateAll1700000000003';
  async up(runner: QueryRunner) {
    await runner.query(`CREATE TABLE everything (id int)`);
  }
  async down() {}
}
const storage: Storage = { migrations: [CreateThings1700000000000] };
const broken: Storage = { migrations: [CreateThings1700000000000, BreakHalfway1700000000001] };

let schema: TestSchema;
/** As the owner of the schema, and as the running service, which owns nothing. */
let config: StatefulConfig;
let serviceConfig: StatefulConfig;

beforeAll(async () => {
  schema = await testSchema('things');
  const environment = {
    NATS_URL: 'nats://127.0.0.1:4222',
    PROFILE: 'local',
    ...wireSettings('stranger'),
    DATABASE_URL: schema.databaseUrl,
    DATABASE_SCHEMA: schema.schema,
  };
  serviceConfig = loadConfig(StatefulConfig, environment);
  config = loadConfig(StatefulConfig, { ...environment, DATABASE_URL: ownerUrlOf(schema.databaseUrl) });
});
afterAll(() => schema.drop());

@Module({})
class Nothing {}

/** The database module as a service imports it. */
async function startService(): Promise<void> {
  const module = { module: Nothing, imports: [DatabaseModule.forRoot(serviceConfig, storage)] };
  const context = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
  await context.close();
}

/** One run of the migration job, as a process of its own would make it. */
async function job(of: Storage): Promise<string[]> {
  const source = await createMigrationSource(config, of).initialize();
  try {
    return await migrate(source, schema.schema);
  } finally {
    await source.destroy();
  }
}

async function tables(): Promise<string[]> {
  const source = await createMigrationSource(config, storage).initialize();
  const tables = `SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 ORDER BY 1`;
  try {
    const rows: { name: string }[] = await source.query(tables, [schema.schema]);
    return rows.map(({ name }) => name);
  } finally {
    await source.destroy();
  }
}

describe('Migrations', () => {
  it('prevent a service from starting while they are pending, with a message that says how to run them', async () => {
    await expect(startService()).rejects.toThrow(/pending migrations; run the migrate job first/);
  });

  it('run once when two jobs start together, and both jobs succeed', async () => {
    const applied = await Promise.all([job(storage), job(storage)]);
    expect(applied.flat()).toEqual(['CreateThings1700000000000']);
    expect(await tables()).toContain('things');
  });

  it('do not run again once applied, and the service starts', async () => {
    expect(await job(storage)).toEqual([]);
    await startService();
  });

  it('roll back when one fails, keep the ones before it, and release the lock', async () => {
    jest.spyOn(console, 'log').mockImplementation(() => undefined); // TypeORM names the failed migration there
    await expect(job(broken)).rejects.toThrow(/no_such_function/);
    expect(await tables()).not.toContain('halves');
    expect(await job(storage)).toEqual([]);
  });

  it('of an earlier build that this one replaced are refused in a sentence that says how to start over', async () => {
    const squashed: Storage = { migrations: [CreateAll1700000000003] };
    await expect(job(squashed)).rejects.toThrow(
      /"things_\w+" is of an earlier build, whose migrations \(CreateThings1700000000000\) .* npm start -- --fresh$/,
    );
    expect(await tables()).not.toContain('everything');
  });

  it('of a later build are left alone by the job of an earlier one, which is rolled back to', async () => {
    expect(await job({ migrations: [...storage.migrations, AddLater1700000000002] })).toEqual([
      'AddLater1700000000002',
    ]);
    expect(await job(storage)).toEqual([]);
  });
});
