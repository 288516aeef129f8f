import { runMigrations } from '@vaultsvc/database';
import { storage } from './reporting.service.js';

await runMigrations(storage);
