export { Tampered, UnknownFormat, WrongKey } from '../errors.js';
export type { Label } from '../labels.js';
export type { SealContext } from './derived-seal.js';
export { NONCE_BYTES, open, openWithNonce, seal, sealWithNonce, TAG_BYTES } from './gcm.js';
export { openContent, SEALED_OVERHEAD_BYTES, sealContent } from './sealed-value.js';
export { isSplitHalf, openSplit, sealSplit, type SplitValue } from './split-value.js';
