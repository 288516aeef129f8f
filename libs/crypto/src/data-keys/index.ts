export { CachedKey } from './cached-key.js';
export type { DataKeyRow, DataKeyStore, FoundDataKey } from './data-key-store.js';
export { DataKeyDestroyed, DataKeys, type DataKeySettings, type UseKey } from './data-keys.js';
export { hourly, monthly, permanent, type Period } from './period.js';
export {
  CREATE_DATA_KEYS_SQL,
  DROP_DATA_KEYS_SQL,
  type RunQuery,
  SqlDataKeyStore,
} from './sql-data-key-store.js';
