export { SpoolCipher } from './spool-cipher.js';
