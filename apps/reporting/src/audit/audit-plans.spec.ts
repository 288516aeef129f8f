import { beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { genericPlanOf, rowsOf, stopSchedule } from '@vaultsvc/testing/harness';
import { reporting } from '../service-definition.js';
import { listStatements } from './audit-list.repository.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const service = useService(harness, reporting);

/** Nearly all entries of an account are of one type, as in accounts that use Sparks. */
const INSERT_MANY = `
  INSERT INTO audit_entries (account_id, seq, event_type, occurred_at, vault_id, ingot_id, app_id, actor_id, body, salt, body_hash, hash)
  SELECT 'acc_' || n % 5, (n - 1) / 5 + 1, CASE WHEN n % 1000 < 20 THEN 'type_' || n % 1000 ELSE 'spark_created' END, now(),
         CASE WHEN n % 10 = 0 THEN 'vlt_' || n % 50 END, CASE WHEN n % 10 = 0 THEN 'ing_' || n % 100 END,
         CASE WHEN n % 100 = 1 THEN 'chatapp' END, 'usr_' || n % 500, '{}', '\\x00', '\\x00', '\\x00'
    FROM generate_series(1, 50000) n`;

/** The chains that the entries follow. */
const INSERT_HEADS = `
  INSERT INTO audit_heads (account_id, seq, hash, pseudonym_salt) SELECT 'acc_' || n, 0, '\\x00', '\\x00' FROM generate_series(0, 4) n`;

beforeAll(async () => {
  await stopSchedule(service);
  await rowsOf(service, INSERT_HEADS);
  await rowsOf(service, INSERT_MANY);
  await rowsOf(service, `ANALYZE audit_entries`);
});

describe('AUD-01 AUD-02 AUD-04 AUD-05: the generic plan of a list', () => {
  it.each([
    ['an account', listStatements.account.all, 'audit_of_account'],
    ['a vault', listStatements.vault.all, 'audit_of_vault'],
    ['an integration', listStatements.app.all, 'audit_of_app'],
    ['an account in a range of time', listStatements.account.inTime, 'audit_of_account'],
    ['an actor', listStatements.account.ofActor, 'audit_of_actor'],
  ])('reads the newest entries of %s by an index, without reading the others', async (_, { text }, index) => {
    const plan = await genericPlanOf(service, text);
    expect(plan).toMatch(new RegExp(`Index Scan Backward using ${index} on audit_entries`));
    expect(plan).not.toMatch(/Seq Scan|Bitmap/);
  });

  it('finds the few entries of an ingot by an index', async () => {
    const plan = await genericPlanOf(service, listStatements.ingot.all.text);
    expect(plan).toMatch(/audit_of_ingot/);
    expect(plan).not.toMatch(/Seq Scan/);
  });
});
