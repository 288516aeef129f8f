import { runSupportBundle } from '@vaultsvc/service/support-bundle';
import { GatewayConfig } from './config.js';

await runSupportBundle('gateway', GatewayConfig);
