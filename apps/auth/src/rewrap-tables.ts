import { dataKeysTable, type RewrapDefinition } from '@vaultsvc/service/rewrap';
import { AuthConfig } from './config.js';
import { storage } from './storage.js';

/** The keys that key management has wrapped: the data keys. */
export const rewrap: RewrapDefinition<AuthConfig> = {
  service: 'auth',
  config: AuthConfig,
  databases: [
    { storage, settingsOf: (config) => config, tableOf: (database) => dataKeysTable(database, 'auth') },
  ],
};
