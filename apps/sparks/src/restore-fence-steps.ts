import { sparkExpired, sparklinkRevoked } from '@vaultsvc/contracts/sparks';
import type { RestoreFence } from '@vaultsvc/database/restore-fence';
import { insertLinkEvents, LINK_EVENT_COLUMNS, systemActor } from './link/link-events-sql.js';
import { BURN } from './spark/burning/burn-statements.js';
import { SPARK_MEMBERS } from './spark/burning/spark-sql.js';
import { storage } from './storage.js';

const OPERATOR = systemActor({ kind: 'operator', id: 'restore-fence' });

/** A Spark may have been read since, a link opened, a code used. Durable shares are no single use: they stay. */
export const restoreFence: RestoreFence = {
  service: 'sparks',
  storage,
  steps: [
    {
      says: 'unread Sparks burned',
      // The event releases their storage, and is in the audit log. It is not an event of a read: nobody was shown the content.
      text: `
        WITH burned AS (
          UPDATE sparks
             SET ${BURN}
           WHERE created_at <= $1 AND wrapped_dek IS NOT NULL
          RETURNING id, account_id, size_bytes),
        event AS (
          INSERT INTO outbox (name, account_id, payload)
          SELECT '${sparkExpired.name}', account_id, jsonb_build_object(${SPARK_MEMBERS}, 'actor', '${JSON.stringify(OPERATOR.actor)}'::jsonb)
            FROM burned)
        SELECT count(*)::int AS count FROM burned`,
    },
    {
      says: 'contents of sends deleted',
      text: `
        WITH deleted AS (DELETE FROM shared_contents WHERE created_at <= $1 RETURNING 1)
        SELECT count(*)::int AS count FROM deleted`,
    },
    {
      says: 'links that open once revoked',
      text: `
        WITH ended AS (
          UPDATE sparklinks SET status = 'revoked', revoked_at = now()
           WHERE created_at <= $1 AND status = 'active' AND domain = 'link'
          RETURNING ${LINK_EVENT_COLUMNS}),
        event AS (${insertLinkEvents(sparklinkRevoked, 'ended', 'NULL', `'${JSON.stringify(OPERATOR)}'`)})
        SELECT count(*)::int AS count FROM ended`,
    },
    {
      says: 'codes and tokens of visitors deleted',
      text: `
        WITH codes AS (DELETE FROM link_messages WHERE created_at <= $1 AND kind = 'code'),
        challenges AS (DELETE FROM passkey_challenges WHERE created_at <= $1),
        deleted AS (DELETE FROM verifications WHERE created_at <= $1 RETURNING 1)
        SELECT count(*)::int AS count FROM deleted`,
    },
  ],
};
