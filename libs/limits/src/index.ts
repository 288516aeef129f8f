export { CredentialCache, type CredentialRecord } from './credential-cache.js';
export { PoolSnapshotCache, type PoolRecord, type PoolSnapshot } from './pool-snapshot-cache.js';
export {
  assertWithinLimit,
  limiterUnavailable,
  RateLimitExceeded,
  retryAfterSeconds,
} from './rate-limit-exceeded.js';
export {
  clientNetwork,
  isOverLimit,
  RateLimiter,
  type Admission,
  type AdmissionRequest,
  type FixedWindow,
  type RateLimits,
} from './rate-limiter.js';
export {
  RedisConnection,
  RedisScript,
  RedisUnavailable,
  type RedisConfig,
  type RedisReply,
} from './redis-connection.js';
export { RedisModule } from './redis.module.js';
