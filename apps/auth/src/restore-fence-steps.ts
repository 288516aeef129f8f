import { sessionEnded } from '@vaultsvc/contracts/auth';
import type { RestoreFence } from '@vaultsvc/database/restore-fence';
import { storage } from './storage.js';

const OPERATOR = JSON.stringify({ kind: 'operator', id: 'restore-fence' });

/** A refresh token may have been exchanged since, or its session ended. Everybody signs in again. */
export const restoreFence: RestoreFence = {
  service: 'auth',
  storage,
  steps: [
    {
      says: 'session families revoked',
      text: `
        WITH revoked AS (
          UPDATE families SET revoked_at = clock_timestamp(), version = version + 1
           WHERE created_at <= $1 AND revoked_at IS NULL AND expires_at > now()
          RETURNING id, session_type, account_id, user_id),
        event AS (
          INSERT INTO outbox (name, account_id, payload)
          SELECT '${sessionEnded.name}', account_id, jsonb_build_object('account_id', account_id, 'user_id', user_id,
                   'session_id', id, 'client_ip', NULL, 'user_agent', NULL, 'actor', '${OPERATOR}'::jsonb)
            FROM revoked WHERE session_type = 'full')
        SELECT count(*)::int AS count FROM revoked`,
    },
  ],
};
