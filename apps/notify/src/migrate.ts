import { runMigrations } from '@vaultsvc/database';
import { storage } from './notify.service.js';

await runMigrations(storage);
