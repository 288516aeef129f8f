import { redisCheck } from '@vaultsvc/limits/check';
import { storeCheck } from '@vaultsvc/objects';
import { runCheck } from '@vaultsvc/service/check';
import { ForgeConfig } from './config.js';
import { storage } from './storage.js';

await runCheck({
  name: 'forge',
  config: ForgeConfig,
  storage,
  checks: (config) => [redisCheck(config), storeCheck(config, { writes: 'v1/' })],
});
