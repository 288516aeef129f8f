import { runSupportBundle } from '@vaultsvc/service/support-bundle';
import { AuthConfig } from './config.js';

await runSupportBundle('auth', AuthConfig);
