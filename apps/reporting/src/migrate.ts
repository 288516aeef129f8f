import { runMigrations } from '@vaultsvc/database/migrate';
import { storage } from './storage.js';

await runMigrations('reporting', storage);
