export { decodeBase62, encodeBase62, randomBase62 } from './base62.js';
export { decodeBase64, decodeBase64Url } from './base64.js';
export { newCode, newId, SHARD_MAX, shardOf } from './ids.js';
export { lengthPrefixed, lengthPrefixedBytes } from './length-prefixed.js';
