import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { rowsOf, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { reserveStorage } from '../pool/pool.repository.js';
import { reporting } from '../reporting.service.js';
import {
  deleteExpired,
  deleteHeld,
  forgetClosed,
  insertHeld,
  settleReservations,
} from './reservation.repository.js';

let harness: Harness;
let service: RunningService;
beforeAll(async () => {
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  service = await harness.start(reporting);
  await rowsOf(service, INSERT_MANY);
  await rowsOf(service, INSERT_POOLS);
  await rowsOf(service, `ANALYZE reservations, pools`);
});
afterAll(() => harness.stop());

const INSERT_MANY = `
  INSERT INTO reservations (id, account_id, bytes, status, expires_at, closed_at)
  SELECT 'ver_' || n, 'acc_' || n % 5000, 1, status, now() + interval '5 minutes', CASE status WHEN 'closed' THEN now() END
    FROM generate_series(1, 30000) n, LATERAL (SELECT (ARRAY['held', 'confirmed', 'closed'])[1 + n % 3] AS status) s`;
const INSERT_POOLS = `
  INSERT INTO pools (account_id, storage_used, bandwidth_used, identity_used) SELECT 'acc_' || n, 0, 0, 0 FROM generate_series(0, 4999) n`;

/** The generic plan, as a prepared statement gets it after its fifth use. */
async function planOf(text: string, types: string, values: string): Promise<string> {
  const connection = await service.context.get(Database).connect();
  try {
    await connection.query(`SET plan_cache_mode = force_generic_plan`);
    await connection.query(`PREPARE probed (${types}) AS ${text}`);
    const { rows } = await connection.query<Record<string, string>>(
      `EXPLAIN (COSTS OFF) EXECUTE probed (${values})`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    connection.release(true);
  }
}

describe('plans that must not change with the number of reservations', () => {
  const [account, id] = [`'${newId('acc_')}'`, `'${newId('ver_')}'`];

  it('reserving and releasing find their rows by primary keys', async () => {
    expect(await planOf(reserveStorage.text, 'text, bigint, jsonb', `${account}, 1, '{}'`)).toMatch(
      /Index Scan using pools_pkey on pools/,
    );
    expect(await planOf(deleteHeld.text, 'text, text', `${id}, ${account}`)).toMatch(
      /Index Scan using reservations_pkey on reservations/,
    );
    expect(await planOf(insertHeld.text, 'text, text, bigint', `${id}, ${account}, 1`)).toMatch(
      /Conflict Arbiter Indexes: reservations_pkey/,
    );
  });

  it('events meet their rows by the primary key', async () => {
    const types = 'text[], text[], bigint[], text[]';
    const plan = await planOf(
      settleReservations.text,
      types,
      `ARRAY[${id}], ARRAY[${account}], ARRAY[1], ARRAY['closed']`,
    );
    expect(plan).toMatch(/Conflict Arbiter Indexes: reservations_pkey/);
    expect(plan).not.toMatch(/Seq Scan/);
  });

  it.each([
    ['expired', deleteExpired, 'reservations_to_expire'],
    ['closed', forgetClosed, 'reservations_to_forget'],
  ])('the job finds what is %s by its own index', async (_, due, index) => {
    const plan = await planOf(due.text, 'int', '500');
    expect(plan).toMatch(new RegExp(`Index Scan using ${index} on reservations`));
    expect(plan).not.toMatch(/Seq Scan/);
  });
});
