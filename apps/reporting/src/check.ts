import { poolKeyCheck, redisCheck } from '@vaultsvc/limits/check';
import { storeCheck } from '@vaultsvc/objects';
import { runCheck } from '@vaultsvc/service/check';
import { ReportingConfig } from './config.js';
import { storage } from './storage.js';

await runCheck({
  name: 'reporting',
  config: ReportingConfig,
  storage,
  // The bucket of the log may have Object Lock, so nothing is stored there.
  checks: (config) => [redisCheck(config), poolKeyCheck(config), storeCheck(config)],
});
