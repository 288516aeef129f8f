export { CachedKey } from './cached-key.js';
export {
  CREATE_DATA_KEYS_SQL,
  type StoredDataKey,
  DataKeyStore,
  DROP_DATA_KEYS_SQL,
  type FoundDataKey,
  type RunQuery,
} from './data-key-store.js';
export { DataKeyDestroyed, DataKeys, type DataKeySettings, type UseKey } from './data-keys.js';
export { hourly, monthly, permanent, type Period } from './period.js';
export { SealedTexts, type SealedText } from './sealed-texts.js';
