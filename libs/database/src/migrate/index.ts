export { createIndex, type TableIndex } from './create-index.js';
export { hasPendingMigrations, migrate, runMigrations } from './migrate.js';
