export { dataKeysProviders } from './data-keys.providers.js';
