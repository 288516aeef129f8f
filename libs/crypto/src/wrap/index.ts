export { Tampered, UnknownFormat, WrongKey } from '../errors.js';
export type { Label } from '../labels.js';
export { unwrapKey, WRAPPED_KEY_BYTES, wrapKey, wrapKid, type WrapSettings } from './wrap.js';
