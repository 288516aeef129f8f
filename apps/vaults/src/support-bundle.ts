import { runSupportBundle } from '@vaultsvc/service/support-bundle';
import { VaultsConfig } from './config.js';

await runSupportBundle('vaults', VaultsConfig);
