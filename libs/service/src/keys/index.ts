export { dataKeysProviders, kmsProvider, tryKms } from './data-keys.providers.js';
