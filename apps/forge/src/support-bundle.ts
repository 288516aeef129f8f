import { runSupportBundle } from '@vaultsvc/service/support-bundle';
import { ForgeConfig } from './config.js';

await runSupportBundle('forge', ForgeConfig);
