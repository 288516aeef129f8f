export { decodeBase62, encodeBase62, newId, randomBase62 } from './base62.js';
export { decodeBase64, decodeBase64Url } from './base64.js';
export { lengthPrefixed } from './length-prefixed.js';
