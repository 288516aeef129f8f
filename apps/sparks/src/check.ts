import { runCheck } from '@vaultsvc/service/check';
import { kmsCheck } from '@vaultsvc/service/keys';
import { SparksConfig } from './config.js';
import { keysDatabase, storage } from './storage.js';

await runCheck({
  name: 'sparks',
  config: SparksConfig,
  storage,
  furtherDatabases: [keysDatabase],
  checks: (config) => [kmsCheck('sparks', config, { random: true })],
});
