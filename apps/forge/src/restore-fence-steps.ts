import type { RestoreFence } from '@vaultsvc/database/restore-fence';
import { storage } from './storage.js';

/** An ISTK may have been used or revoked since. Open uploads go on: their clients ask for the offset and send the rest. */
export const restoreFence: RestoreFence = {
  service: 'forge',
  storage,
  steps: [
    {
      says: 'unused upload ISTKs expired',
      // Not revoked: the job that ends expired ones publishes it, on which vaults gives up the version and its storage.
      text: `
        WITH expired AS (
          UPDATE istks SET wrapped_key = NULL, expires_at = least(expires_at, now() - interval '1 minute')
           WHERE created_at <= $1 AND operation = 'encrypt' AND used_at IS NULL AND revoked_at IS NULL AND given_up_at IS NULL
          RETURNING 1)
        SELECT count(*)::int AS count FROM expired`,
    },
    {
      says: 'download ISTKs revoked',
      text: `
        WITH revoked AS (
          UPDATE istks SET revoked_at = clock_timestamp(), wrapped_key = NULL
           WHERE created_at <= $1 AND operation = 'decrypt' AND revoked_at IS NULL AND expires_at > now()
          RETURNING 1)
        SELECT count(*)::int AS count FROM revoked`,
    },
  ],
};
