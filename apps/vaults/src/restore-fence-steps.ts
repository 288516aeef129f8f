import type { RestoreFence } from '@vaultsvc/database/restore-fence';
import { storage } from './storage.js';

/** A vault may have been sealed since, which ended its tokens, and a one-time link opened. */
export const restoreFence: RestoreFence = {
  service: 'vaults',
  storage,
  steps: [
    {
      says: 'vaults sealed',
      text: `
        WITH sealed AS (UPDATE vaults SET seal_epoch = seal_epoch + 1 WHERE created_at <= $1 RETURNING 1)
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
