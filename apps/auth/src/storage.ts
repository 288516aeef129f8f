import type { Storage } from '@vaultsvc/database';
import { messagingMigrations } from '@vaultsvc/messaging/tables';
import { Account } from './accounts/account.entity.js';
import { User } from './accounts/user.entity.js';
import { CreateAccounts1763700000000 } from './migrations/1763700000000-create-accounts.js';
import { CreateCredentials1763700000001 } from './migrations/1763700000001-create-credentials.js';
import { CreateSigningKeys1763700000002 } from './migrations/1763700000002-create-signing-keys.js';
import { CreateIdentities1764100000000 } from './migrations/1764100000000-create-identities.js';
import { AcceptInvitations1765100000000 } from './migrations/1765100000000-accept-invitations.js';
import { BoundSessions1765200000000 } from './migrations/1765200000000-bound-sessions.js';
import { RecheckDomains1765300000000 } from './migrations/1765300000000-recheck-domains.js';
import { CreateReceiptKeys1766800000000 } from './migrations/1766800000000-create-receipt-keys.js';

/** The entities and migrations of the service, apart from its module: the migration job loads nothing else. */
export const storage: Storage = {
  entities: [Account, User],
  migrations: [
    ...messagingMigrations,
    CreateAccounts1763700000000,
    CreateCredentials1763700000001,
    CreateSigningKeys1763700000002,
    CreateIdentities1764100000000,
    AcceptInvitations1765100000000,
    BoundSessions1765200000000,
    RecheckDomains1765300000000,
    CreateReceiptKeys1766800000000,
  ],
};
