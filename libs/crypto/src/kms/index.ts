export { Tampered } from '../errors.js';
export { type EncryptionContext, Kms } from './kms.js';
export { KmsConfig } from './kms-config.js';
export { KmsUnavailable } from './kms-errors.js';
export type { KmsSettings } from './kms-settings.js';
