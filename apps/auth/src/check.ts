import { credentialKeyCheck, poolKeyCheck, redisCheck } from '@vaultsvc/limits/check';
import { runCheck } from '@vaultsvc/service/check';
import { kmsCheck } from '@vaultsvc/service/keys';
import { AuthConfig } from './config.js';
import { storage } from './storage.js';

await runCheck({
  name: 'auth',
  config: AuthConfig,
  storage,
  checks: (config) => [
    kmsCheck('auth', config),
    redisCheck(config),
    credentialKeyCheck(config),
    poolKeyCheck(config),
  ],
});
