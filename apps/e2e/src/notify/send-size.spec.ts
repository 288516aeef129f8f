import { randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import * as notify from '@vaultsvc/contracts/notify';
import { rowsOf } from '@vaultsvc/testing/harness';
import { succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { newSend } from '../access/notify-samples.js';
import { newTenant, type Tenant } from '../access/tenant.js';

const platform = usePlatform();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant(platform);
});

/** The bytes of the databases of all services, with indexes, outboxes and large values. */
async function databaseBytes(): Promise<number> {
  const services = [platform.auth, platform.sparks, platform.reporting, platform.notify];
  const sizes = await Promise.all(
    services.map((service) => rowsOf<{ name: string; bytes: number }>(service, DATABASE_SIZE)),
  );
  const byName = new Map(sizes.flat().map(({ name, bytes }) => [name, bytes]));
  return [...byName.values()].reduce((sum, bytes) => sum + bytes, 0);
}

const DATABASE_SIZE = `
  SELECT current_database()::text AS name, pg_database_size(current_database())::float8 AS bytes`;

/** The storage that reporting has booked for the account. */
async function bookedStorage(): Promise<number> {
  const [row] = await rowsOf<{ used: number }>(
    platform.reporting,
    `SELECT storage_used::float8 AS used FROM pools WHERE account_id = $1`,
    [tenant.accountId],
  );
  return row?.used ?? 0;
}

/** Sends, and waits until the send is delivered and booked. */
async function sendTo(count: number, payload: string): Promise<void> {
  const booked = await bookedStorage();
  const recipients = Array.from({ length: count }, (_, index) => `user-${index}@example.test`);
  const body = { ...newSend(), recipients, content: { payload } } as never;
  const { send_id } = succeeded(await tenant.key.call(notify.sendNotification, { body }));
  await eventually(
    async () => succeeded(await tenant.key.call(notify.readSend, { params: { send_id } })),
    ({ status }) => status === 'delivered',
  );
  await eventually(bookedStorage, (used) => used === booked + count * payload.length);
}

it('NTF-06 OPEN-58: 256,000 bytes to 500 recipients draw the pool 500 times and grow the databases by at most 3 MB', async () => {
  await sendTo(1, 'first');
  const before = await databaseBytes();
  await sendTo(500, randomBytes(128_000).toString('hex'));
  const growth = (await databaseBytes()) - before;
  expect(growth).toBeGreaterThan(256_000);
  expect(growth).toBeLessThanOrEqual(3_000_000);
});
