import { ownerUrlOf } from '@vaultsvc/testing/servers';
import type { Harness } from '@vaultsvc/testing/harness';
import pg from 'pg';

/** Puts the tables of the transparency log back to a tree of `size` leaves, as the restore of a dump does. */
export async function rewindLog(harness: Harness, size: number, staged?: { bundle: Buffer; leaves: number }) {
  const { DATABASE_URL = '', DATABASE_SCHEMA } = await harness.environment('reporting');
  const client = new pg.Client({
    connectionString: ownerUrlOf(DATABASE_URL),
    options: `-c search_path=${DATABASE_SCHEMA}`,
  });
  await client.connect();
  await client.query(`ALTER TABLE audit_checkpoints DISABLE TRIGGER USER`);
  await client.query(
    `UPDATE audit_log_state SET size = c.size, root = c.root, staged = $2, staged_leaves = $3
       FROM audit_checkpoints c WHERE c.size = $1`,
    [size, staged?.bundle ?? null, staged?.leaves ?? null],
  );
  await client.query(`DELETE FROM audit_checkpoints WHERE size > $1`, [size]);
  await client.query(`ALTER TABLE audit_checkpoints ENABLE TRIGGER USER`);
  await client.end();
}
