export { decodeBase64, decodeBase64Url } from './base64.js';
export { decodeBase62, encodeBase62, randomBase62 } from './base62.js';
export { crc32 } from './checksum.js';
export { newId } from './ids.js';
export { lp } from './length-prefixed.js';
