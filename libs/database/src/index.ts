export { createDataSource, createMigrationSource, type Migration, type Storage } from './data-source.js';
export { Database, statement, type Queryable, type Statement, type Transaction } from './database.js';
export { DatabaseModule } from './database.module.js';
export { joined } from './joined.js';
export { stepsOfExpiredTokens } from './expired-tokens.js';
export { inBatches } from './in-batches.js';
export { isLockTimeout } from './lock-timeout.js';
export { migrate, runMigrations } from './migrate/index.js';
export { readPosition, toPage, type Page } from './page.js';
