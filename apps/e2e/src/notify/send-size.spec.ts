import { randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import * as notify from '@vaultsvc/contracts/notify';
import { rowsOf } from '@vaultsvc/testing/harness';
import { succeeded } from '@vaultsvc/testing/http';
import { ownerUrlOf } from '@vaultsvc/testing/servers';
import { eventually } from '@vaultsvc/testing/waiting';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import pg from 'pg';
import { newSend } from '../access/notify-samples.js';
import { newTenant, type Tenant } from '../access/tenant.js';

const platform = usePlatform();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant(platform);
});

/**
 * The bytes of the databases of all services, with indexes, outboxes and large values, after the rows of queues and outboxes
 * that have come and gone were freed, as autovacuum does within a minute.
 */
async function databaseBytes(): Promise<number> {
  const environments = await Promise.all(
    ['auth', 'sparks', 'reporting', 'notify'].map((service) => platform.harness.environment(service)),
  );
  const urls = environments.map(({ DATABASE_URL = '' }) => DATABASE_URL);
  const sizes = new Map<string, number>(); // by database, which services may share
  for (const url of urls) sizes.set(new URL(url).pathname, await vacuumedBytes(url));
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** @param databaseUrl of one service, whose tables are vacuumed */
async function vacuumedBytes(databaseUrl: string): Promise<number> {
  const owner = new pg.Client({ connectionString: ownerUrlOf(databaseUrl) });
  await owner.connect();
  try {
    await owner.query('VACUUM');
    const { rows } = await owner.query<{ bytes: number }>(
      `SELECT pg_database_size(current_database())::float8 AS bytes`,
    );
    return rows[0]?.bytes as number;
  } finally {
    await owner.end();
  }
}

/** The storage that reporting has booked for the account. */
async function bookedStorage(): Promise<number> {
  const [row] = await rowsOf<{ used: number }>(
    platform.reporting,
    `SELECT storage_used::float8 AS used FROM pools WHERE account_id = $1`,
    [tenant.accountId],
  );
  return row?.used ?? 0;
}

/** Messages that are not delivered yet, and events that are not sent. */
async function unfinished(): Promise<number> {
  const counts = await Promise.all([
    rowsOf<{ count: number }>(
      platform.notify,
      `SELECT count(*)::int AS count FROM messages WHERE closed_at IS NULL`,
    ),
    rowsOf<{ count: number }>(platform.sparks, `SELECT count(*)::int AS count FROM outbox`),
  ]);
  return counts.flat().reduce((sum, { count }) => sum + count, 0);
}

/** Sends 256,000 bytes to 500 recipients, and waits until the send is delivered and booked. */
async function sendToMany(): Promise<void> {
  const booked = await bookedStorage();
  const recipients = Array.from({ length: 500 }, (_, index) => `user-${index}@example.test`);
  const content = { payload: randomBytes(128_000).toString('hex') };
  const body = { ...newSend(), recipients, content } as never;
  succeeded(await tenant.key.call(notify.sendNotification, { body }));
  await eventually(unfinished, (count) => count === 0);
  await eventually(bookedStorage, (used) => used === booked + 500 * 256_000);
}

it('NTF-06 OPEN-58: 256,000 bytes to 500 recipients draw the pool 500 times and grow the databases by at most 3 MB', async () => {
  const SENDS = 5; // tables and indexes grow by whole pages, and a split page is half empty at first
  await sendToMany();
  const before = await databaseBytes();
  for (let send = 0; send < SENDS; send += 1) await sendToMany();
  const growth = ((await databaseBytes()) - before) / SENDS;
  expect(growth).toBeGreaterThan(256_000);
  expect(growth).toBeLessThanOrEqual(3_000_000);
});
