export { Tampered } from '../errors.js';
export { type EncryptionContext, Kms, RANDOM_BYTES_MAX } from './kms.js';
export { KmsConfig, type KmsSettings } from './kms-config.js';
export { KmsUnavailable } from './retry.js';
