export { claimShard, CREATE_CLAIMED_SHARD_SQL, ShardNotClaimed } from './claimed-shard.js';
export { ConnectionPoolFull } from './connection-pool.js';
export {
  createDataSource,
  createMigrationSource,
  type DatabaseSettings,
  type FurtherDatabase,
  type Migration,
  type Storage,
} from './data-source.js';
export { Database } from './database.js';
export { namedStatement, type NamedStatement } from './named-statement.js';
export { statement, type Queryable, type Statement, type Transaction } from './statement.js';
export { connectDatabase, DatabaseModule } from './database.module.js';
export { Batcher, DeadlinePassed, type Batching } from './batcher/index.js';
export { expiredTokenSteps, runInBatches } from './batches.js';
export {
  createIndex,
  hasPendingMigrations,
  migrate,
  runMigrations,
  type TableIndex,
} from './migrate/index.js';
export { readPosition, toPage, type Page } from './page.js';
export { errorCodeOf, isLockTimeout, isUniqueViolation } from './postgres-errors.js';
export { ConcurrentModification, retryOnConflict } from './retry-on-conflict.js';
export { assertSessionSettings, SessionSettingsMissing } from './session-settings.js';
export { assertServingRole, UnsuitableRole } from './serving-role.js';
export { epochSeconds, packByteArrays } from './sql.js';
