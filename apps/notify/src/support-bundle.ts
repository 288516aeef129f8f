import { runSupportBundle } from '@vaultsvc/service/support-bundle';
import { NotifyConfig } from './config.js';

await runSupportBundle('notify', NotifyConfig);
