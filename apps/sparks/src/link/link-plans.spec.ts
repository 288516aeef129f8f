import { beforeAll, describe, expect, it } from '@jest/globals';
import { purgeLinks } from './purge-links.job.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
beforeAll(async () => {
  await platform.sql(INSERT_MANY);
  await platform.sql(`ANALYZE sparklinks`);
});

/** The links of a busy month: most ended recently, none long ago. */
const INSERT_MANY = `
  INSERT INTO sparklinks (code_hash, account_id, link_type, asset_id, vault_id, is_managed, visibility, kid, sealed_code, expires_at)
  SELECT sha256(n::text::bytea), 'acc_' || n % 100, 'ingot', 'ing_' || n, 'vlt_' || n % 1000, false, 'public', 'k', '\\x00',
         now() - interval '29 days' + n * interval '125 seconds'
    FROM generate_series(1, 20000) n`;

const planOf = async (text: string, ...values: string[]) => {
  const probed = values.reduce((sql, value, index) => sql.replace(`$${index + 1}`, value), text);
  const rows = await platform.sql(`EXPLAIN (COSTS OFF) ${probed}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
};

describe('the plan of PurgeLinks without links that ended long ago', () => {
  it.each([
    ["'ingot'", '30'],
    ["'spark'", '3'],
  ])('LNK-10 AMB-36: does not scan the links of type %s', async (type, days) => {
    const plan = await planOf(purgeLinks.text, type, days, '500');
    expect(plan).toContain('using sparklinks_by_end');
    expect(plan).not.toContain('Seq Scan');
  });
});
