import type { RestoreFence } from '@vaultsvc/database/restore-fence';
import { storage } from './storage.js';

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
          RETURNING 1)
        SELECT count(*)::int AS count FROM revoked`,
    },
  ],
};
