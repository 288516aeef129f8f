import type { Storage } from '@vaultsvc/database';
import { messagingMigrations } from '@vaultsvc/messaging/tables';
import { CreateMails1764200000000 } from './migrations/1764200000000-create-mails.js';
import { CreateSends1766900000000 } from './migrations/1766900000000-create-sends.js';
import { KeepFormerSecrets1768200000000 } from './migrations/1768200000000-keep-former-secrets.js';
import { ManageRecipients1768400000000 } from './migrations/1768400000000-manage-recipients.js';
import { ReportLockouts1765310000000 } from './migrations/1765310000000-report-lockouts.js';
import { SendLinkMessages1764500000000 } from './migrations/1764500000000-send-link-messages.js';
import { ShareQueues1768450000000 } from './migrations/1768450000000-share-queues.js';
import { StorePlaintext1767100000000 } from './migrations/1767100000000-store-plaintext.js';
import { WarnOwners1765300000000 } from './migrations/1765300000000-warn-owners.js';

/** The migrations of this service, apart from the module so that the migration job loads nothing else. */
export const storage: Storage = {
  entities: [],
  migrations: [
    ...messagingMigrations,
    CreateMails1764200000000,
    SendLinkMessages1764500000000,
    WarnOwners1765300000000,
    ReportLockouts1765310000000,
    CreateSends1766900000000,
    StorePlaintext1767100000000,
    KeepFormerSecrets1768200000000,
    ManageRecipients1768400000000,
    ShareQueues1768450000000,
  ],
};
