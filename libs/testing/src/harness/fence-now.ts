import { loadConfig, StatefulConfig } from '@vaultsvc/config';
import { applyRestoreFence, type RestoreFence } from '@vaultsvc/database/restore-fence';
import { asAdmin } from '../servers/admin.js';
import { ownerUrlOf } from '../servers/index.js';
import type { Harness } from './harness.js';

/** Applies the fence of a running service for a restore to this moment. Returns the moment, and the counts by sentence. */
export async function fenceNow(
  harness: Harness,
  fence: RestoreFence,
): Promise<{ readonly restoredTo: Date; readonly counts: Readonly<Record<string, number>> }> {
  // The fence creates a table, so it runs as the owner, as migrations do.
  const { DATABASE_URL = '', ...others } = await harness.environment(fence.service);
  const config = loadConfig(StatefulConfig, { ...others, DATABASE_URL: ownerUrlOf(DATABASE_URL) });
  const restoredTo = await asAdmin(config.DATABASE_URL.reveal(), async (client) => {
    const { rows } = await client.query<{ now: Date }>(
      `SELECT clock_timestamp() + interval '1 ms' AS now, pg_sleep(0.002)`,
    );
    return rows[0]?.now as Date;
  });
  const { counts } = await applyRestoreFence(fence, config, restoredTo);
  return { restoredTo, counts: Object.fromEntries(counts.map(({ says, count }) => [says, count])) };
}
