import { runMigrations } from '@vaultsvc/database';
import { storage } from './sparks.service.js';

await runMigrations(storage);
