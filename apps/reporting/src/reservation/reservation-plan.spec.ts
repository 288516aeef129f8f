import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Statement } from '@vaultsvc/database';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { genericPlanOf, rowsOf } from '@vaultsvc/testing/harness';
import { addReserved } from '../pool/pool.repository.js';
import { reporting } from '../service-definition.js';
import {
  deleteExpired,
  deleteHeld,
  deleteClosed,
  lockOpen,
  insertHeld,
  settleReservations,
} from './reservation.repository.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const service = useService(harness, reporting);
beforeAll(async () => {
  await rowsOf(service, INSERT_MANY);
  await rowsOf(service, INSERT_POOLS);
  await rowsOf(service, `ANALYZE reservations, pools`);
});

const INSERT_MANY = `
  INSERT INTO reservations (id, account_id, bytes, status, expires_at, closed_at)
  SELECT 'ver_' || n, 'acc_' || n % 5000, 1, status, now() + interval '5 minutes', CASE status WHEN 'closed' THEN now() END
    FROM generate_series(1, 30000) n, LATERAL (SELECT (ARRAY['held', 'confirmed', 'closed'])[1 + n % 3] AS status) s`;
const INSERT_POOLS = `
  INSERT INTO pools (account_id, storage_used, bandwidth_used, identity_used) SELECT 'acc_' || n, 0, 0, 0 FROM generate_series(0, 4999) n`;

const planOf = ({ text }: Statement) => genericPlanOf(service, text);

describe('the generic plans of statements on reservations', () => {
  it('use primary keys to reserve and release', async () => {
    expect(await planOf(addReserved)).toMatch(/Index Scan using pools_pkey on pools/);
    expect(await planOf(lockOpen)).toMatch(/Index Scan using reservations_pkey on reservations/);
    expect(await planOf(deleteHeld)).toMatch(/Index Scan using reservations_pkey on reservations/);
    expect(await planOf(insertHeld)).toMatch(/Conflict Arbiter Indexes: reservations_pkey/);
  });

  it('use the primary key to settle events', async () => {
    const plan = await planOf(settleReservations);
    expect(plan).toMatch(/Conflict Arbiter Indexes: reservations_pkey/);
    expect(plan).not.toMatch(/Seq Scan/);
  });

  it.each([
    ['expired', deleteExpired, 'reservations_to_expire'],
    ['closed', deleteClosed, 'reservations_to_forget'],
  ])('use a separate index to find %s reservations', async (_, due, index) => {
    const plan = await planOf(due);
    expect(plan).toMatch(new RegExp(`Index Scan using ${index} on reservations`));
    expect(plan).not.toMatch(/Seq Scan/);
  });
});
