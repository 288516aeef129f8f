export type { Admission, AdmissionRequest, RateLimits } from './admission.js';
export { AccountLimiter } from './account-limiter.js';
export { AddressLimiter } from './address-limiter.js';
export { CredentialCache, type CredentialRecord } from './credential-cache.js';
export { CredentialReader } from './credential-reader.js';
export { clientNetwork, isOverLimit, type FixedWindow } from './fixed-window.js';
export { poolFigures, type AccountPoolFigures, type PoolFigures, type PoolState } from './pool-figures.js';
export { PoolSnapshotCache, type PoolRecord, type PoolSnapshot } from './pool-snapshot-cache.js';
export { assertWithinLimit, RateLimitExceeded, retryAfterSeconds } from './rate-limit-exceeded.js';
export { RateLimiter } from './rate-limiter.js';
export { RecordAuthenticator } from './record-authenticator.js';
export type { RedisConfig, RedisReply } from './redis-servers.js';
export { RedisConnection, RedisUnavailable } from './redis-connection.js';
export { RedisScript } from './redis-script.js';
export {
  credentialAuthenticator,
  credentialCache,
  credentialReader,
  poolSnapshotAuthenticator,
  poolSnapshotCache,
  rateLimiter,
  RedisModule,
  type CredentialRecordConfig,
  type PoolSnapshotConfig,
} from './redis.module.js';
export { sharedCredentialKey, sharedPoolKey } from './shared-key.providers.js';
