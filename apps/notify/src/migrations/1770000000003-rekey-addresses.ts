import { identityKey } from '@vaultsvc/contracts';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Addresses were keyed by their text in lower case, and are now by their mailbox (`identityKey`): the two differ for domains
 * and local parts beyond ASCII, and for a dot at the end. What recipients chose is copied, so that an older instance finds it,
 * too; suppressions and push tokens are unique and move.
 */
export class RekeyAddresses1770000000003 implements MigrationInterface {
  readonly name = 'RekeyAddresses1770000000003';

  async up(runner: QueryRunner): Promise<void> {
    const rows = (await runner.query(formerKeys)) as { key: string }[];
    for (const { key } of rows) {
      const current = `email:${identityKey(key.slice('email:'.length))}`;
      if (current === key) continue;
      for (const text of rekeyings) await runner.query(text, [key, current]);
    }
  }

  async down(): Promise<void> {
    // The former rows of choices are still there.
  }
}

const formerKeys = `SELECT key FROM (
    SELECT directory_key AS key FROM opt_outs
    UNION SELECT directory_key FROM quiet_hours
    UNION SELECT directory_key FROM push_tokens
    UNION SELECT address_key FROM suppressions) AS keys
  WHERE key LIKE 'email:%' AND (key ~ '[^\\x01-\\x7f]' OR key LIKE '%.')`;

const rekeyings = [
  `INSERT INTO opt_outs (account_id, directory_key, channel, category, category_label)
   SELECT account_id, $2, channel, category, category_label FROM opt_outs WHERE directory_key = $1
   ON CONFLICT DO NOTHING`,
  `INSERT INTO quiet_hours (account_id, directory_key, starts, ends, time_zone)
   SELECT account_id, $2, starts, ends, time_zone FROM quiet_hours WHERE directory_key = $1
   ON CONFLICT DO NOTHING`,
  `UPDATE push_tokens SET directory_key = $2 WHERE directory_key = $1`,
  `UPDATE suppressions AS s SET address_key = $2 WHERE address_key = $1
      AND NOT EXISTS (SELECT FROM suppressions o WHERE o.account_id = s.account_id AND o.address_key = $2)`,
];
