import type { Storage } from '@vaultsvc/database';
import { CreateMessagingTables1700000000000 } from '@vaultsvc/messaging/tables';
import { CreateMails1764200000000 } from './migrations/1764200000000-create-mails.js';
import { SendLinkMessages1764500000000 } from './migrations/1764500000000-send-link-messages.js';

/** What the service keeps in PostgreSQL; the migration job needs no more of it than this. */
export const storage: Storage = {
  entities: [],
  migrations: [CreateMessagingTables1700000000000, CreateMails1764200000000, SendLinkMessages1764500000000],
};
