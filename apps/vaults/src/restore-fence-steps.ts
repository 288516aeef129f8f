import { vaultSealed } from '@vaultsvc/contracts/vaults';
import type { RestoreFence } from '@vaultsvc/database/restore-fence';
import { storage } from './storage.js';

const OPERATOR = JSON.stringify({ kind: 'operator', id: 'restore-fence' });

/** A vault may have been sealed since, which ended its tokens, and a one-time link opened. */
export const restoreFence: RestoreFence = {
  service: 'vaults',
  storage,
  steps: [
    {
      says: 'vaults sealed',
      // The audit log has an entry for those that were open.
      text: `
        WITH sealed AS (
          UPDATE vaults SET seal_epoch = seal_epoch + 1 WHERE created_at <= $1 RETURNING id, account_id, seal_epoch),
        event AS (
          INSERT INTO outbox (name, account_id, payload)
          SELECT '${vaultSealed.name}', account_id, jsonb_build_object('vault_id', id, 'account_id', account_id,
                   'actor_type', 'system', 'actor_id', NULL, 'seal_epoch', seal_epoch, 'actor', '${OPERATOR}'::jsonb)
            FROM sealed
           WHERE EXISTS (SELECT FROM vault_sessions s WHERE s.vault_id = sealed.id AND s.expires_at > now()))
        SELECT count(*)::int AS count FROM sealed`,
    },
    {
      says: 'access tokens deleted',
      // Expired ones stay: they are answered with 403 for 30 days (OPEN-50).
      text: `
        WITH deleted AS (DELETE FROM vault_sessions WHERE issued_at <= $1 AND expires_at > now() RETURNING 1)
        SELECT count(*)::int AS count FROM deleted`,
    },
    {
      says: 'keys of one-time links deleted',
      text: `
        WITH deleted AS (DELETE FROM link_keys WHERE created_at <= $1 RETURNING 1)
        SELECT count(*)::int AS count FROM deleted`,
    },
  ],
};
