import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Database, type Statement } from '@vaultsvc/database';
import { accountContext, genericPlanOf } from '@vaultsvc/testing/harness';
import { usePlatform } from '../../testing/platform.js';
import { burnBatch, burnStatement, claimStatement, findUnread } from './burn-statements.js';
import { removeManyUnread, removeUnread } from '../spark-removal.repository.js';
import { listOfAccount } from '../spark-list.repository.js';
import { advanceDue } from '../expire-sparks.job.js';

const platform = usePlatform();
beforeAll(async () => {
  await fillWithStaleStatistics();
});

/**
 * Creates misleading statistics: ANALYZE while every Spark is burned, then many live ones. An index that looks empty by
 * the statistics seems cheaper than the primary key.
 */
async function fillWithStaleStatistics(): Promise<void> {
  await platform.sql(`ALTER TABLE sparks SET (autovacuum_enabled = off)`);
  await platform.sql(INSERT_MANY);
  await platform.sql(
    `UPDATE sparks SET status = 'ash', burned_at = now(), wrapped_dek = NULL, ciphertext = NULL`,
  );
  await platform.sql(`ANALYZE sparks`);
  await platform.sql(INSERT_MANY);
}

const INSERT_MANY = `
  INSERT INTO sparks (id, account_id, content_type, size_bytes, ttl_minutes, expires_at, due_at, kid, wrapped_dek, ciphertext)
  SELECT 'spk_' || substr(md5(random()::text), 1, 22), 'acc_' || n % 100, 'text/plain', 1, 60, now() + interval '1 hour', now() + interval '1 hour', 'k', '\\x00', '\\x00'
    FROM generate_series(1, 4000) n`;

const planOf = ({ text }: Statement) => genericPlanOf(platform.service, text);

describe('the query plans', () => {
  it('SPK-30: of claim, burn and delete find the row by the primary key', async () => {
    const plans = [
      await planOf(claimStatement),
      await planOf(burnStatement),
      await planOf(findUnread),
      await planOf(burnBatch),
      await planOf(removeUnread),
      await planOf(removeManyUnread),
    ];
    for (const plan of plans) {
      expect(plan).toMatch(/Index Scan using sparks_pkey on sparks/);
      expect(plan).not.toMatch(/(Seq Scan|Bitmap Heap Scan) on sparks|using sparks_(due|of_)/);
    }
  });

  it("SPK-16: of an account's page read its index in order, without a sort", async () => {
    const plan = await planOf(listOfAccount);
    expect(plan).toMatch(/Index Scan Backward using sparks_of_account/);
    expect(plan).not.toMatch(/Sort/);
  });

  it('SPK-50: of the expiry job read due Sparks only', async () => {
    expect(await planOf(advanceDue)).toMatch(/Index Scan using sparks_due/);
  });

  it('SPK-33: depend on no index that covers a column changed by a burn', async () => {
    const indexes = await platform.sql<{ definition: string }>(
      `SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid = 'sparks'::regclass`,
    );
    for (const { definition } of indexes)
      expect(definition).not.toMatch(/status|lock_token|locked_at|burned_at|wrapped_dek|ciphertext/);
  });
});

describe('reading a Spark', () => {
  it('SPK-27: commits the burn synchronously and the claim asynchronously, and leaves the setting of the connection unchanged', async () => {
    const connection = await platform.service.context.get(Database).connect();
    const waits = async () => {
      const { rows } = await connection.query<{ synchronous_commit: string }>('SHOW synchronous_commit');
      return rows[0]?.synchronous_commit;
    };
    try {
      const caller = accountContext();
      const { spark_id } = await platform.create({ payload: 'x' }, caller);
      const claimed = [spark_id, caller.credential.accountId, randomUUID()];
      await connection.query('BEGIN');
      await connection.query(claimStatement.text, claimed);
      expect(await waits()).toBe('off');
      await connection.query('ROLLBACK');
      expect((await connection.query(claimStatement.text, claimed)).rows).toHaveLength(1);
      expect(await waits()).toBe('on');
    } finally {
      connection.release();
    }
  });
});
