import { serviceStorage } from '@vaultsvc/messaging/tables';
import { CreateTransfers1770000000000 } from './migrations/1770000000000-create-transfers.js';

/** The schema of the service, apart from its module: the migration job loads nothing else. */
export const storage = serviceStorage([CreateTransfers1770000000000]);
