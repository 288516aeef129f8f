export { Tampered } from '../errors.js';
export { type EncryptionContext, Kms, RANDOM_BYTES_MAX } from './kms.js';
export { KmsConfig } from './kms-config.js';
export { KmsUnavailable } from './kms-errors.js';
export type { KmsSettings } from './kms-settings.js';
