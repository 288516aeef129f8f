import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { awsKeyOf, startKms, testSchema, type TestSchema, type TestServer } from '@vaultsvc/testing/servers';
import { eventually, until } from '@vaultsvc/testing/waiting';
import pg from 'pg';
import { Kms } from '../kms/index.js';
import {
  CREATE_DATA_KEYS_SQL,
  DataKeyDestroyed,
  DataKeys,
  hourly,
  monthly,
  type Period,
  DataKeyStore,
} from './index.js';

const purpose = 'spark-epoch';
const startedAt = new Date();
/** The hour in which this spec started, because the hour may change during a test. */
const startHour: Period = {
  kidAt: () => hourly.kidAt(startedAt),
  destroyAfter: () => hourly.destroyAfter(startedAt),
};
let server: TestServer;
let schema: TestSchema;
let pool: pg.Pool;
let store: DataKeyStore;
let kms: Kms;

/** The `DataKeys` of one process: its own cache, shared table and KMS. */
function process(): DataKeys {
  return new DataKeys({ service: 'sparks', kms, store });
}

async function setFault(mode: string): Promise<{ calls: number }> {
  const answer = await fetch(`${server.url}/_fault`, { method: 'POST', body: JSON.stringify({ mode }) });
  return ((await answer.json()) as { before: { calls: number } }).before;
}

/** A copy of the current key with its kid. Product code must not copy keys. */
function take(dataKeys: DataKeys, period = startHour): Promise<{ kid: string; key: Buffer }> {
  return dataKeys.current(purpose, period, (key, kid) => ({ kid, key: Buffer.from(key) }));
}

const rows = async () =>
  (await pool.query('SELECT * FROM data_keys ORDER BY kid')).rows as Record<string, unknown>[];

beforeAll(async () => {
  [server, schema] = await Promise.all([startKms(), testSchema('sparks')]);
  pool = new pg.Pool({ connectionString: schema.adminUrl });
  store = new DataKeyStore(async (text, values) => (await pool.query(text, values)).rows);
  await pool.query(CREATE_DATA_KEYS_SQL);
  kms = new Kms({
    key: awsKeyOf(server.url, 'alias/vk-root'),
    timeoutMs: 20_000, // calls are counted: none may be repeated because the machine is busy
  });
});

beforeEach(async () => {
  await pool.query('TRUNCATE data_keys');
  await setFault('none');
});

afterEach(() => void jest.restoreAllMocks());

afterAll(async () => {
  kms.close();
  await pool.end();
  await Promise.all([server.stop(), schema.drop()]);
});

describe('SPK-50: Data keys', () => {
  it('are created on first use, stored only wrapped, and found by other processes', async () => {
    const { kid, key } = await take(process());
    const [row] = await rows();
    expect(kid).toMatch(/^20\d{8}$/);
    expect(row).toMatchObject({ purpose, kid });
    expect((row as { wrapped: Buffer }).wrapped.includes(key)).toBe(false);
    await process().byId(purpose, kid, (found, name) => {
      expect(found).toEqual(key);
      expect(name).toBe(kid);
    });
  });

  it('expire 24 hours and 5 minutes after their hour, by the clock of the database', async () => {
    const hourOf = `to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDDHH24')`;
    const [before] = (await pool.query<{ hour: string }>(`SELECT ${hourOf} AS hour`)).rows;
    const { kid } = await take(process(), hourly);
    const sql = `SELECT ${hourOf} AS hour,
                        destroy_after = to_timestamp(kid, 'YYYYMMDDHH24')::timestamp AT TIME ZONE 'UTC' + interval '25 hours 5 minutes' AS is_right
                   FROM data_keys`;
    const [after] = (await pool.query<{ hour: string; is_right: boolean }>(sql)).rows;
    expect([before?.hour, after?.hour]).toContain(kid);
    expect(after?.is_right).toBe(true);
  });

  it('have one row and one key when twenty processes use them first at once', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => take(process())));
    expect(new Set(taken.map(({ key }) => key.toString('hex'))).size).toBe(1);
    expect(await rows()).toHaveLength(1);
  });

  it('cost one KMS request for a hundred concurrent first uses in one process', async () => {
    const dataKeys = process();
    await Promise.all(Array.from({ length: 100 }, () => take(dataKeys)));
    await take(dataKeys);
    expect((await setFault('none')).calls).toBe(1);
  });

  it('differ by purpose and period', async () => {
    const dataKeys = process();
    const [hour, month] = [await take(dataKeys), await take(dataKeys, monthly)];
    const links = await dataKeys.current('links', startHour, (key) => Buffer.from(key));
    expect(new Set([hour.key, month.key, links].map((key) => key.toString('hex'))).size).toBe(3);
    expect(await rows()).toHaveLength(3);
  });

  it('do not unwrap from a row moved to another kid or purpose', async () => {
    const { kid } = await take(process());
    await pool.query(`INSERT INTO data_keys SELECT 'links', kid, wrapped FROM data_keys`);
    await pool.query(`UPDATE data_keys SET kid = '2000010100' WHERE purpose = $1`, [purpose]);
    await expect(process().byId('links', kid, () => 0)).rejects.toMatchObject({ name: 'Tampered' });
    await expect(process().byId(purpose, '2000010100', () => 0)).rejects.toMatchObject({ name: 'Tampered' });
  });
});

describe('SPK-50: The destruction of data keys', () => {
  it('makes a key unusable, and no reader creates it again', async () => {
    const { kid } = await take(process());
    await pool.query('DELETE FROM data_keys');
    await expect(process().byId(purpose, kid, () => 0)).rejects.toThrow(DataKeyDestroyed);
    expect(await rows()).toHaveLength(0);
  });

  it('refuses an expired key before the job has deleted it', async () => {
    const { kid } = await take(process());
    await pool.query(`UPDATE data_keys SET destroy_after = clock_timestamp()`);
    await expect(process().byId(purpose, kid, () => 0)).rejects.toThrow(DataKeyDestroyed);
  });

  it('wipes a cached key at its expiry, not 5 minutes later', async () => {
    const { kid } = await take(process());
    await pool.query(`UPDATE data_keys SET destroy_after = clock_timestamp() + interval '5 seconds'`);
    const dataKeys = process();
    const isZero = (key: Buffer) => key.every((byte) => byte === 0);
    const seen = await dataKeys.byId(purpose, kid, (key) => {
      expect(isZero(key)).toBe(false);
      return key;
    });
    await eventually(() => isZero(seen), Boolean);
    await expect(dataKeys.byId(purpose, kid, () => 0)).rejects.toThrow(DataKeyDestroyed);
  });

  it('deletes expired keys only', async () => {
    await take(process());
    await take(process(), monthly);
    expect(await store.destroyExpired()).toBe(0);
    await pool.query(
      `UPDATE data_keys SET destroy_after = clock_timestamp() WHERE destroy_after IS NOT NULL`,
    );
    expect(await store.destroyExpired()).toBe(1);
    expect(await rows()).toMatchObject([{ destroy_after: null }]);
  });
});

describe('MISC-03: Plaintext keys in memory', () => {
  it('are unwrapped again after 10,000 uses, and the old copy is wiped', async () => {
    const dataKeys = process();
    const first = await dataKeys.current(purpose, startHour, (key) => key);
    for (let use = 1; use < 10_000; use += 1) await dataKeys.current(purpose, startHour, () => 0);
    expect(first.some((byte) => byte !== 0)).toBe(true);
    await setFault('none');
    const second = await dataKeys.current(purpose, startHour, (key) => key);
    expect((await setFault('none')).calls).toBe(1);
    expect(first).toEqual(Buffer.alloc(32));
    expect(second).not.toBe(first);
    expect(second.some((byte) => byte !== 0)).toBe(true);
  });

  it('are unwrapped again after 5 minutes', async () => {
    const dataKeys = process();
    const first = await dataKeys.current(purpose, startHour, (key) => key);
    const later = performance.now() + 5 * 60_000;
    jest.spyOn(performance, 'now').mockImplementation(() => later);
    await setFault('none');
    await dataKeys.current(purpose, startHour, () => 0);
    expect((await setFault('none')).calls).toBe(1);
    expect(first).toEqual(Buffer.alloc(32));
  });

  it('are wiped after the last running use has ended', async () => {
    const dataKeys = process();
    let finish: () => void = () => undefined;
    const busy = new Promise<void>((resolve) => (finish = resolve));
    let firstUse: Promise<boolean> | undefined;
    // The first use starts before the second, because the order of concurrent uses is undefined.
    const seen = await new Promise<Buffer>((begin, fail) => {
      firstUse = dataKeys.current(purpose, startHour, async (key) => {
        begin(key);
        await busy;
        return key.some((byte) => byte !== 0);
      });
      firstUse.catch(fail);
    });
    await dataKeys.current(purpose, startHour, () => 0);
    dataKeys.close();
    finish();
    expect(await firstUse).toBe(true);
    expect(seen).toEqual(Buffer.alloc(32));
  });

  it('are released when a use fails', async () => {
    const dataKeys = process();
    let seen: Buffer = Buffer.alloc(0);
    const failing = dataKeys.current(purpose, startHour, (key) => {
      seen = key;
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    dataKeys.close();
    expect(seen).toEqual(Buffer.alloc(32));
  });
});

describe('ENT-17: Data keys while KMS is down', () => {
  it('work if cached, fail if new, and leave no row behind', async () => {
    const dataKeys = process();
    const { kid, key } = await take(dataKeys);
    await setFault('down');
    expect((await take(dataKeys)).key).toEqual(key);
    await expect(process().byId(purpose, kid, () => 0)).rejects.toMatchObject({ name: 'KmsUnavailable' });
    await expect(take(dataKeys, monthly)).rejects.toMatchObject({ name: 'KmsUnavailable' });
    expect(await rows()).toHaveLength(1);
  });

  it('are loaded again by the next use after a failed load', async () => {
    await setFault('throttle');
    const dataKeys = process();
    await expect(take(dataKeys)).rejects.toMatchObject({ name: 'KmsUnavailable' });
    await setFault('none');
    await until(() => take(dataKeys).then(() => true));
    expect(await rows()).toHaveLength(1);
  });
});

describe('The period of a data key', () => {
  it('does not depend on the wall clock of the process', async () => {
    const { kid } = await take(process(), hourly);
    const ahead = Date.now() + 3_600_000;
    jest.spyOn(Date, 'now').mockImplementation(() => ahead);
    const { kid: kidAhead } = await take(process(), hourly);
    expect([kid, (await take(process(), hourly)).kid]).toContain(kidAhead);
  });

  it('is read from the database again after the clock was set or the machine suspended', async () => {
    const dataKeys = process();
    const asked = jest.spyOn(store, 'now');
    await take(dataKeys);
    await take(dataKeys);
    expect(asked).toHaveBeenCalledTimes(1);
    const ahead = Date.now() + 600_000;
    jest.spyOn(Date, 'now').mockImplementation(() => ahead);
    await take(dataKeys);
    expect(asked).toHaveBeenCalledTimes(2);
  });
});
