import { serviceStorage } from '@vaultsvc/messaging/tables';
import { CreateInstallations1770000000000 } from './migrations/1770000000000-create-installations.js';
import { CreateChat1770000000001 } from './migrations/1770000000001-create-chat.js';
import { CreateRecords1770000000002 } from './migrations/1770000000002-create-records.js';

/** The schema of the service, apart from its module: the migration job loads nothing else. */
export const storage = serviceStorage([
  CreateInstallations1770000000000,
  CreateChat1770000000001,
  CreateRecords1770000000002,
]);
