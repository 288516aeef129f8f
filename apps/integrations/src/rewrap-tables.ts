import { dataKeysTable, type RewrapDefinition } from '@vaultsvc/service/rewrap';
import { IntegrationsConfig } from './config.js';
import { storage } from './storage.js';

/** The keys that key management has wrapped: the data keys. */
export const rewrap: RewrapDefinition<IntegrationsConfig> = {
  service: 'integrations',
  config: IntegrationsConfig,
  databases: [
    {
      storage,
      settingsOf: (config) => config,
      tableOf: (database) => dataKeysTable(database, 'integrations'),
    },
  ],
};
