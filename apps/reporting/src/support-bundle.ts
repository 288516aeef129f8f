import { runSupportBundle } from '@vaultsvc/service/support-bundle';
import { ReportingConfig } from './config.js';

await runSupportBundle('reporting', ReportingConfig);
