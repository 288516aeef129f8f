export { deriveKey } from './kdf.js';
