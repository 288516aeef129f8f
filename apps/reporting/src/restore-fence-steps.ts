import type { RestoreFence } from '@vaultsvc/database/restore-fence';
import { storage } from './storage.js';

/** The transparency log is ahead of the restored database: it begins a new generation, which names the restore. */
export const restoreFence: RestoreFence = {
  service: 'reporting',
  storage,
  steps: [
    {
      says: 'restores recorded, after which the transparency log begins a new generation',
      text: `
        WITH recorded AS (INSERT INTO audit_log_restores (restored_to) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1)
        SELECT count(*)::int AS count FROM recorded`,
    },
  ],
};
