import { redisCheck } from '@vaultsvc/limits/check';
import { runCheck } from '@vaultsvc/service/check';
import { kmsCheck } from '@vaultsvc/service/keys';
import { IntegrationsConfig } from './config.js';
import { storage } from './storage.js';

await runCheck({
  name: 'integrations',
  config: IntegrationsConfig,
  storage,
  checks: (config) => [kmsCheck('integrations', config), redisCheck(config)],
});
