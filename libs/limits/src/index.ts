export {
  Admission,
  isOver,
  type Admitted,
  type AdmissionRequest,
  type Limits,
  type Window,
} from './admission.js';
export { CredentialCache } from './credential-cache.js';
export { PoolSnapshotCache } from './pool-snapshot-cache.js';
export type { CredentialRecord, PoolSnapshot, PoolRecord } from './records.js';
export { limiterDown, OverLimit } from './over-limit.js';
export { RedisConnection, RedisUnavailable, type RedisConfig, type RedisReply } from './redis-connection.js';
export { RedisModule } from './redis.module.js';
export { RedisScript } from './redis-script.js';
