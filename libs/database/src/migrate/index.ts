export { hasPendingMigrations, migrate, runMigrations } from './migrate.js';
