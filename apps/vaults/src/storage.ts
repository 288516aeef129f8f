import { serviceStorage } from '@vaultsvc/messaging/tables';
import { CreateVaults1770000000000 } from './migrations/1770000000000-create-vaults.js';
import { CreateIngots1770000000001 } from './migrations/1770000000001-create-ingots.js';
import { CreateSharing1770000000002 } from './migrations/1770000000002-create-sharing.js';
import { CreateStructured1770000000003 } from './migrations/1770000000003-create-structured.js';
import { FoldNames1770000000004 } from './migrations/1770000000004-fold-names.js';
import { AddContentHashes1770000000005 } from './migrations/1770000000005-add-content-hashes.js';
import { AddModificationTimes1770000000006 } from './migrations/1770000000006-add-modification-times.js';
import { DropFormerNames1770000000007 } from './migrations/1770000000007-drop-former-names.js';
import { IndexFoldersByAge1770000000008 } from './migrations/1770000000008-index-folders-by-age.js';

/** The schema of the service, apart from its module: the migration job loads nothing else. */
export const storage = serviceStorage([
  CreateVaults1770000000000,
  CreateIngots1770000000001,
  CreateSharing1770000000002,
  CreateStructured1770000000003,
  FoldNames1770000000004,
  AddContentHashes1770000000005,
  AddModificationTimes1770000000006,
  DropFormerNames1770000000007,
  IndexFoldersByAge1770000000008,
]);
