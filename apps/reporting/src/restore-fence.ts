import { runRestoreFence } from '@vaultsvc/database/restore-fence';
import { restoreFence } from './restore-fence-steps.js';

await runRestoreFence(restoreFence);
