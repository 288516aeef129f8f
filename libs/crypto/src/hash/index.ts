export { HASH_BYTES, sha256 } from './sha256.js';
