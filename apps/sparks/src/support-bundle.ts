import { runSupportBundle } from '@vaultsvc/service/support-bundle';
import { SparksConfig } from './config.js';

await runSupportBundle('sparks', SparksConfig);
