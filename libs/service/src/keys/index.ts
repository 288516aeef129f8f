export { dataKeysProviders, kmsProvider, tryKms } from './data-keys.providers.js';
export { kmsCheck } from './kms-check.js';
