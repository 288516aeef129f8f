import { serviceStorage } from '@vaultsvc/messaging/tables';
import { AccountRow } from './accounts/account.entity.js';
import { UserRow } from './accounts/user.entity.js';
import { CreateAccounts1770000000000 } from './migrations/1770000000000-create-accounts.js';
import { CreateCredentials1770000000001 } from './migrations/1770000000001-create-credentials.js';
import { CreateOwnerNotices1770000000002 } from './migrations/1770000000002-create-owner-notices.js';
import { CountResentInvitations1770000000003 } from './migrations/1770000000003-count-resent-invitations.js';

/** The schema of the service, apart from its module: the migration job loads nothing else. */
export const storage = serviceStorage(
  [
    CreateAccounts1770000000000,
    CreateCredentials1770000000001,
    CreateOwnerNotices1770000000002,
    CountResentInvitations1770000000003,
  ],
  [AccountRow, UserRow],
);
