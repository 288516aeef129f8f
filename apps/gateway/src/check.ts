import { credentialKeyCheck, poolKeyCheck, redisCheck } from '@vaultsvc/limits/check';
import { runCheck } from '@vaultsvc/service/check';
import { GatewayConfig } from './config.js';

await runCheck({
  name: 'gateway',
  config: GatewayConfig,
  checks: (config) => [redisCheck(config), credentialKeyCheck(config), poolKeyCheck(config)],
});
