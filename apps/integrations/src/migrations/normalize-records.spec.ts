import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig, StatefulConfig } from '@vaultsvc/config';
import { createMigrationSource } from '@vaultsvc/database';
import { startHarness, undoThrough, type Harness } from '@vaultsvc/testing/harness';
import { asOwner } from '@vaultsvc/tools-testing/service-process';
import { storage } from '../storage.js';
import { NormalizeRecords1767710000000 } from './1767710000000-normalize-records.js';

let harness: Harness;
let source: ReturnType<typeof createMigrationSource>;
beforeAll(async () => {
  harness = await startHarness();
  const config = loadConfig(StatefulConfig, asOwner(await harness.environment('integrations')));
  source = await createMigrationSource(config, storage).initialize();
  await source.runMigrations();
});
afterAll(async () => {
  await source.destroy();
  await harness.stop();
});
beforeEach(async () => {
  await undoThrough(source, NormalizeRecords1767710000000.name);
  await source.query(`DELETE FROM record_folders`);
});

/** A row as the release before wrote it. */
const insert = (app: string, remote: string, record: string, folder: string) =>
  source.query(
    `INSERT INTO record_folders (account_id, app_id, remote_id, vault_id, object_type, record_id, folder_id)
     VALUES ('acc_1', $1, $2, 'vlt_1', 'contact', $3, $4)`,
    [app, remote, record, folder],
  );
const rows = async () => {
  const found = await source.query<{ remote_id: string; record_id: string; folder_id: string }[]>(
    `SELECT remote_id, record_id, folder_id FROM record_folders ORDER BY folder_id`,
  );
  return found.map(({ remote_id, record_id, folder_id }) => `${remote_id} ${record_id} ${folder_id}`);
};

describe('the migration of records', () => {
  it('OPEN-37: gives records of crmb their id of 18 characters, and leaves others as they are', async () => {
    await insert('crmb', 'org', '001A0000006Vm9r', 'fld_1');
    await insert('crmb', 'org', '001A0000006Vm9R', 'fld_2');
    await insert('crmb', 'org', 'short', 'fld_3');
    await insert('crma', 'portal', '001A0000006Vm9r', 'fld_4');
    await source.runMigrations();
    expect(await rows()).toEqual([
      'org 001A0000006Vm9rIAC fld_1',
      'org 001A0000006Vm9RIAS fld_2',
      'org short fld_3',
      'portal 001A0000006Vm9r fld_4',
    ]);
  });

  it('OPEN-37: keeps the older folder of a record that had two, whichever form came first', async () => {
    await insert('crmb', 'org', '001A0000006Vm9r', 'fld_1');
    await insert('crmb', 'org', '001A0000006Vm9rIAC', 'fld_2');
    await insert('crmb', 'other', '001A0000006Vm9rIAC', 'fld_3');
    await insert('crmb', 'other', '001A0000006Vm9r', 'fld_4');
    await source.runMigrations();
    expect(await rows()).toEqual(['org 001A0000006Vm9rIAC fld_1', 'other 001A0000006Vm9rIAC fld_3']);
  });

  it('OPEN-37: leaves a folder that two records or portals share to the older', async () => {
    await insert('crma', 'A', '51', 'fld_1');
    await insert('crma', 'B', '51', 'fld_1');
    await insert('crma', 'B', '52', 'fld_2');
    await insert('crma', 'B', 'Ab1', 'fld_3');
    await insert('crma', 'B', 'aB1', 'fld_3');
    await source.runMigrations();
    expect(await rows()).toEqual(['A 51 fld_1', 'B 52 fld_2', 'B Ab1 fld_3']);
  });

  it('OPEN-37: keeps the tokens of people of crmb valid, under their id of 18 characters', async () => {
    await source.query(
      `INSERT INTO record_tokens (lookup, account_id, app_id, generation, user_id, expires_at)
       VALUES ('1', 'acc_1', 'crmb', 1, '005B0000001AbCd', now()), ('2', 'acc_1', 'crma', 1, '101', now())`,
    );
    await source.runMigrations();
    const found = await source.query<{ user_id: string }[]>(
      `SELECT user_id FROM record_tokens ORDER BY lookup`,
    );
    expect(found.map(({ user_id }) => user_id)).toEqual(['005B0000001AbCdIAK', '101']);
  });
});
