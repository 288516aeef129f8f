import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CREATE_DATA_KEYS_SQL } from '@vaultsvc/crypto/data-keys';
import { Kms, type KeySettings } from '@vaultsvc/crypto/kms';
import type { Queryable } from '@vaultsvc/database';
import {
  awsKeyOf,
  sharedServers,
  startTransit,
  testSchema,
  transitKeyOf,
  type TestSchema,
  type TestServer,
} from '@vaultsvc/testing/servers';
import pg from 'pg';
import { dataKeysTable, examineTable, rewrapTable, type WrappedTable } from './index.js';

const PACE = { batch: 10, perSecond: 10_000 };

let transit: TestServer;
let schema: TestSchema;
let pool: pg.Pool;
let database: Queryable;
let table: WrappedTable;
let keys: { former: KeySettings; next: KeySettings };
beforeAll(async () => {
  [transit, schema] = await Promise.all([startTransit(), testSchema('things')]);
  pool = new pg.Pool({ connectionString: schema.adminUrl });
  await pool.query(CREATE_DATA_KEYS_SQL);
  database = { query: async ({ text }, values = []) => (await pool.query(text, [...values])).rows };
  table = dataKeysTable(database, 'things');
  keys = {
    former: awsKeyOf(sharedServers().kmsUrl, 'alias/vk-root'),
    next: transitKeyOf(transit.url, 'vk-root'),
  };
});
beforeEach(() => pool.query('TRUNCATE data_keys'));
afterAll(async () => {
  await pool.end();
  await Promise.all([transit.stop(), schema.drop()]);
});

const former = () => new Kms({ key: keys.former, timeoutMs: 20_000 });
const moving = () => new Kms({ key: keys.next, second: keys.former, timeoutMs: 20_000 });
const moved = () => new Kms({ key: keys.next, timeoutMs: 20_000 });

const contextOf = (kid: string) => ({ svc: 'things', purpose: 'sealed', kid });

/** Inserts a data key, and returns its plaintext. */
async function insert(kid: string, kms = former(), destroyAfter: string | null = null): Promise<Buffer> {
  const { plaintext, wrapped } = await kms.generateDataKey(contextOf(kid));
  await pool.query(
    `INSERT INTO data_keys (purpose, kid, wrapped, destroy_after) VALUES ('sealed', $1, $2, $3)`,
    [kid, wrapped, destroyAfter],
  );
  return plaintext;
}

const kidOf = (index: number) => `2026${String(index).padStart(4, '0')}`;

async function insertMany(count: number): Promise<Map<string, Buffer>> {
  const kids = Array.from({ length: count }, (_, index) => kidOf(index));
  const plaintexts = await Promise.all(kids.map((kid) => insert(kid)));
  return new Map(kids.map((kid, index) => [kid, plaintexts[index] as Buffer]));
}

/** The keys of the table, opened without the former provider. */
async function opened(): Promise<Map<string, Buffer>> {
  const { rows } = await pool.query<{ kid: string; wrapped: Buffer }>(
    'SELECT kid, wrapped FROM data_keys ORDER BY kid',
  );
  const kms = moved();
  const plaintexts = await Promise.all(rows.map(({ kid, wrapped }) => kms.decrypt(wrapped, contextOf(kid))));
  return new Map(rows.map(({ kid }, index) => [kid, plaintexts[index] as Buffer]));
}

describe('OPEN-45: rewrap', () => {
  it('moves every key in batches, and changes nothing when it is run again', async () => {
    const plaintexts = await insertMany(33);
    expect(await examineTable(table, moving(), PACE)).toMatchObject({ keys: 33, moved: 0, left: 33 });
    const progress: number[] = [];
    const report = await rewrapTable(table, moving(), PACE, (examined) => progress.push(examined));
    expect(report).toEqual({ table: 'data_keys', keys: 33, moved: 33, left: 0, unreadable: [] });
    expect(progress).toEqual([10, 20, 30, 33, 10, 20, 30, 33]);
    expect(await opened()).toEqual(plaintexts);
    expect(await rewrapTable(table, moving(), PACE)).toMatchObject({ moved: 0, left: 0 });
    expect(await examineTable(table, moved(), PACE)).toMatchObject({ keys: 33, left: 0 });
  });

  it('goes on where it was stopped by an outage', async () => {
    const plaintexts = await insertMany(25);
    let reads = 0;
    const stopping: WrappedTable = {
      ...table,
      readAfter: (id, limit) => {
        reads += 1;
        if (reads > 2) throw new Error('stopped');
        return table.readAfter(id, limit);
      },
    };
    await expect(rewrapTable(stopping, moving(), PACE)).rejects.toThrow('stopped');
    expect(await examineTable(table, moving(), PACE)).toMatchObject({ left: 5 });
    expect(await rewrapTable(table, moving(), PACE)).toMatchObject({ moved: 5, left: 0 });
    expect(await opened()).toEqual(plaintexts);
  });

  it('moves what an instance with the former settings wraps meanwhile', async () => {
    await insertMany(5);
    let isInserted = false;
    const underTraffic: WrappedTable = {
      ...table,
      replace: async (key, rewrapped) => {
        const isReplaced = await table.replace(key, rewrapped);
        // Before the place where this pass has arrived.
        if (!isInserted) {
          isInserted = true;
          await insert('1999');
        }
        return isReplaced;
      },
    };
    expect(await rewrapTable(underTraffic, moving(), PACE)).toMatchObject({ keys: 6, moved: 6, left: 0 });
    expect((await opened()).size).toBe(6);
  });

  it('can run twice at once', async () => {
    const plaintexts = await insertMany(20);
    const read = await table.readAfter(undefined, 20);
    const reports = await Promise.all([
      rewrapTable(table, moving(), PACE),
      rewrapTable(table, moving(), PACE),
    ]);
    expect(reports.map(({ left }) => left)).toEqual([0, 0]);
    // A reader of the row as it was before the move replaces nothing.
    for (const key of read) expect(await table.replace(key, key.wrapped)).toBe(false);
    expect(await opened()).toEqual(plaintexts);
  });

  it('names a key that nothing opens, leaves it, and moves the others', async () => {
    await insertMany(3);
    await pool.query(`UPDATE data_keys SET kid = 'moved-row' WHERE kid = $1`, [kidOf(1)]);
    const [before] = (await pool.query(`SELECT wrapped FROM data_keys WHERE kid = 'moved-row'`)).rows;
    const report = await rewrapTable(table, moving(), PACE);
    expect(report).toMatchObject({ moved: 2, left: 1, unreadable: ['sealed/moved-row'] });
    const [after] = (await pool.query(`SELECT wrapped FROM data_keys WHERE kid = 'moved-row'`)).rows;
    expect(after).toEqual(before);
  });

  it('SPK-50: does not renew a key that is due to be destroyed', async () => {
    await insert('due', former(), '2020-01-01');
    expect(await rewrapTable(table, moving(), PACE)).toMatchObject({ keys: 0, left: 0 });
  });
});
