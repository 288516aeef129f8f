import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { rowsOf } from '@vaultsvc/testing/harness';
import type { QueryRunner } from 'typeorm';
import { useSendPlatform } from '../testing/send-platform.js';
import { RekeyAddresses1770000000003 } from './1770000000003-rekey-addresses.js';

const platform = useSendPlatform();
const [former, current] = ['email:x@bücher.test', 'email:x@xn--bcher-kva.test'];
let account: string;

const sql = (text: string, values: unknown[] = []) => rowsOf(platform.notify, text, values);
const keysIn = async (table: string, column = 'directory_key') =>
  (await sql(`SELECT ${column} AS key FROM ${table} WHERE account_id = $1 ORDER BY 1`, [account])).map(
    ({ key }) => key,
  );
const migrate = () => new RekeyAddresses1770000000003().up({ query: sql } as unknown as QueryRunner);

beforeAll(async () => {
  account = newId('acc_');
});

describe('OPEN-59 NTF-35: what was stored for an address by its text', () => {
  it('applies to its mailbox after the migration, in any spelling, once', async () => {
    for (const key of [former, 'email:ann@example.test', 'id:bücher'])
      await sql(`INSERT INTO opt_outs (account_id, directory_key, channel) VALUES ($1, $2, 'email')`, [
        account,
        key,
      ]);
    await sql(
      `INSERT INTO quiet_hours (account_id, directory_key, starts, ends, time_zone) VALUES ($1, $2, '22:00', '07:00', 'UTC')`,
      [account, former],
    );
    for (const key of [former, 'email:z@bücher.test', 'email:z@xn--bcher-kva.test'])
      await sql(
        `INSERT INTO suppressions (id, account_id, address_key, address, reason) VALUES ($1, $2, $3, 'x', 'gone')`,
        [newId('sup_'), account, key],
      );
    for (const _ of [1, 2]) await migrate();
    expect(await keysIn('opt_outs')).toEqual(['email:ann@example.test', former, current, 'id:bücher'].sort());
    expect(await keysIn('quiet_hours')).toEqual([former, current].sort());
    expect(await keysIn('suppressions', 'address_key')).toEqual(
      [current, 'email:z@bücher.test', 'email:z@xn--bcher-kva.test'].sort(),
    );
  });
});
