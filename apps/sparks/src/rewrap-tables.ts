import { dataKeysTable, type RewrapDefinition } from '@vaultsvc/service/rewrap';
import { SparksConfig } from './config.js';
import { keysDatabase, storage } from './storage.js';

/** The keys that key management has wrapped: the data keys, and the epoch keys in their own database (ADR 21). */
export const rewrap: RewrapDefinition<SparksConfig> = {
  service: 'sparks',
  config: SparksConfig,
  databases: [
    { storage, settingsOf: (config) => config, tableOf: (database) => dataKeysTable(database, 'sparks') },
    {
      ...keysDatabase,
      tableOf: (database) => dataKeysTable(database, 'sparks', 'data_keys of the keys database'),
    },
  ],
};
