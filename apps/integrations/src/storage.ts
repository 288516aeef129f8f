import type { Storage } from '@vaultsvc/database';
import { messagingMigrations } from '@vaultsvc/messaging/tables';

/** The entities and migrations of the service, apart from its module: the migration job loads nothing else. */
export const storage: Storage = { entities: [], migrations: [...messagingMigrations] };
