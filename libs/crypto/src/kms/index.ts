export { Tampered } from '../errors.js';
export { Kms, RANDOM_BYTES_MAX } from './kms.js';
export { KmsConfig } from './kms-config.js';
export type { EncryptionContext } from './provider/provider.js';
export { KmsUnavailable } from './retry.js';
export { drawsRandom } from './provider/settings.js';
export type {
  AwsSettings,
  FileSettings,
  KeySettings,
  KmsSettings,
  TransitSettings,
} from './provider/settings.js';
