export { migrate, runMigrations } from './migrate.js';
