import { dataKeysTable, type RewrapDefinition } from '@vaultsvc/service/rewrap';
import { NotifyConfig } from './config.js';
import { storage } from './storage.js';

/** The keys that key management has wrapped: the data keys. */
export const rewrap: RewrapDefinition<NotifyConfig> = {
  service: 'notify',
  config: NotifyConfig,
  databases: [
    { storage, settingsOf: (config) => config, tableOf: (database) => dataKeysTable(database, 'notify') },
  ],
};
