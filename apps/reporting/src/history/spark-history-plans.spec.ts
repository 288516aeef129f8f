import { beforeAll, describe, expect, it } from '@jest/globals';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { genericPlanOf, rowsOf, stopSchedule } from '@vaultsvc/testing/harness';
import { reporting } from '../service-definition.js';
import { historyStatements } from './spark-history.repository.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const service = useService(harness, reporting);

/** Nearly all entries of an account are of Sparks and of their links; few are of other types, and few links of ingots. */
const INSERT_MANY = `
  INSERT INTO audit_entries (account_id, seq, event_type, occurred_at, vault_id, actor_id, body, salt, body_hash, hash)
  SELECT 'acc_' || n % 5, (n - 1) / 5 + 1,
         CASE WHEN n % 100 < 3 THEN 'sparklink_created'
              WHEN n % 1000 BETWEEN 3 AND 23 THEN 'type_' || n % 1000
              ELSE (ARRAY['spark_created', 'spark_read', 'sparklink_created', 'sparklink_accessed'])[n % 4 + 1] END,
         now(), CASE WHEN n % 100 < 3 THEN 'vlt_1' END, 'usr_' || n % 10,
         json_build_object('details', json_build_object('spark_id', 'spk_' || n / 4))::text, '\\x00', '\\x00', '\\x00'
    FROM generate_series(1, 50000) n`;

/** Accounts with ten entries each: on average an account has few, and the busy ones are the exception. */
const INSERT_SMALL = `
  INSERT INTO audit_entries (account_id, seq, event_type, occurred_at, actor_id, body, salt, body_hash, hash)
  SELECT 'small_' || account, seq, 'spark_read', now(), 'usr_' || account,
         json_build_object('details', json_build_object('spark_id', 'spk_small_' || account || '_' || seq))::text, '\\x00', '\\x00', '\\x00'
    FROM generate_series(1, 2000) account, generate_series(1, 10) seq`;

const INSERT_HEADS = `
  INSERT INTO audit_heads (account_id, seq, hash, pseudonym_salt)
  SELECT id, 0, '\\x00', '\\x00'
    FROM (SELECT 'acc_' || n AS id FROM generate_series(0, 4) n UNION ALL SELECT 'small_' || n FROM generate_series(1, 2000) n) accounts`;

beforeAll(async () => {
  await stopSchedule(service);
  await rowsOf(service, INSERT_HEADS);
  await rowsOf(service, INSERT_MANY);
  await rowsOf(service, INSERT_SMALL);
  await rowsOf(service, `ANALYZE audit_entries`);
});

describe('SPK-53: the generic plan of the history', () => {
  it.each([
    ['of an account', historyStatements.all, ['audit_of_account', 'audit_of_ingot_links']],
    ['of an actor', historyStatements.ofActor, ['audit_of_actor', 'audit_of_ingot_links_by_actor']],
  ])('%s reads the newest entries by an index, without reading the others', async (_, { text }, indexes) => {
    const plan = await genericPlanOf(service, text);
    const [ofSparks, ofFiles] = indexes as [string, string];
    expect(plan).toMatch(new RegExp(`Index Scan Backward using ${ofSparks} on audit_entries`));
    // Few links are of files, so that the planner may also sort them.
    expect(plan).toMatch(new RegExp(`\\b${ofFiles}\\b`));
    expect(plan).not.toMatch(/Seq Scan/);
  });

  it('of the ends of Sparks and links finds the few entries of each by an index', async () => {
    const plan = await genericPlanOf(service, historyStatements.outcomes.text);
    expect(plan).toMatch(/Scan (using|on) audit_of_subject/);
    expect(plan).not.toMatch(/Seq Scan/);
    // Not all entries of the account, of which a busy one has millions.
    expect(plan).not.toMatch(/audit_entries_pkey|audit_of_account/);
  });
});
