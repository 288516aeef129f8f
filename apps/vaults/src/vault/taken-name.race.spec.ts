import { describe, expect, it } from '@jest/globals';
import { updateIngot, updateVault } from '@vaultsvc/contracts/vaults';
import { Database } from '@vaultsvc/database';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { newVaultFixture } from '../testing/ingots.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });

/**
 * The outcome of `rename`, which gives a row the name of `other`, while a concurrent transaction gives `other` the name
 * of that row. Both rows have left their own names before, so the two wait for each other.
 */
async function swapped(table: 'vaults' | 'ingots', other: string, rename: () => Promise<unknown>) {
  const client = await platform.service.context.get(Database).connect();
  const giveOther = (key: string) =>
    client.query(`UPDATE ${table} SET folded_name = $1 WHERE id = $2`, [key, other]);
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await client.query('BEGIN');
    await giveOther('between');
    const reason = reasonOf(rename());
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))`;
    await until(async () => (await platform.sql(waiting, [rows[0]?.pid])).length > 0);
    await giveOther('one').catch(() => undefined);
    await client.query('ROLLBACK');
    return await reason;
  } finally {
    client.release();
  }
}

describe('two concurrent renames that swap names', () => {
  it('VLT-11 ENV-30: are answered with the conflict of the name, for vaults', async () => {
    const caller = accountContext();
    const made = async (name: string) => {
      const { vault_id } = await platform.newVault(caller);
      await platform.call(updateVault, { params: { vault_id }, body: { name } }, caller);
      return vault_id;
    };
    const [vault_id, other] = [await made('one'), await made('two')];
    const rename = () => platform.call(updateVault, { params: { vault_id }, body: { name: 'Two' } }, caller);
    expect(await swapped('vaults', other, rename)).toBe('VAULT_NAME_TAKEN');
  });

  it('ING-34 ENV-30: are answered with the conflict of the name, for ingots', async () => {
    const fixture = await newVaultFixture(platform);
    const [one, other] = [await fixture.store({ name: 'one' }), await fixture.store({ name: 'two' })];
    const params = { vault_id: fixture.vault_id, ingot_id: one.ingot_id };
    const rename = () => fixture.call(updateIngot, { params, body: { name: 'Two' } });
    expect(await swapped('ingots', other.ingot_id, rename)).toBe('INGOT_NAME_TAKEN');
  });
});
