import { runSupportBundle } from '@vaultsvc/service/support-bundle';
import { IntegrationsConfig } from './config.js';

await runSupportBundle('integrations', IntegrationsConfig);
