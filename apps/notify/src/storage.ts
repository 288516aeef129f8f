import { serviceStorage } from '@vaultsvc/messaging/tables';
import { CreateSends1770000000000 } from './migrations/1770000000000-create-sends.js';
import { CreateMessages1770000000001 } from './migrations/1770000000001-create-messages.js';
import { CreatePreferences1770000000002 } from './migrations/1770000000002-create-preferences.js';
import { RekeyAddresses1770000000003 } from './migrations/1770000000003-rekey-addresses.js';
import { OwnerChanges1770000000004 } from './migrations/1770000000004-owner-changes.js';

/** The schema of the service, apart from its module: the migration job loads nothing else. */
export const storage = serviceStorage([
  CreateSends1770000000000,
  CreateMessages1770000000001,
  CreatePreferences1770000000002,
  RekeyAddresses1770000000003,
  OwnerChanges1770000000004,
]);
