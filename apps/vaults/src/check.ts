import { runCheck } from '@vaultsvc/service/check';
import { kmsCheck } from '@vaultsvc/service/keys';
import { VaultsConfig } from './config.js';
import { storage } from './storage.js';

await runCheck({
  name: 'vaults',
  config: VaultsConfig,
  storage,
  checks: (config) => [kmsCheck('vaults', config)],
});
