import { runCheck } from '@vaultsvc/service/check';
import { kmsCheck } from '@vaultsvc/service/keys';
import { NotifyConfig } from './config.js';
import { storage } from './storage.js';

await runCheck({
  name: 'notify',
  config: NotifyConfig,
  storage,
  checks: (config) => [kmsCheck('notify', config)],
});
