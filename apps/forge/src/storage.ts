import { serviceStorage } from '@vaultsvc/messaging/tables';
import { CreateTransfers1770000000000 } from './migrations/1770000000000-create-transfers.js';
import { AddContentHashes1770000000001 } from './migrations/1770000000001-add-content-hashes.js';

/** The schema of the service, apart from its module: the migration job loads nothing else. */
export const storage = serviceStorage([CreateTransfers1770000000000, AddContentHashes1770000000001]);
