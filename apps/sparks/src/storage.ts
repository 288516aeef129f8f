import type { FurtherDatabase, Storage } from '@vaultsvc/database';
import { messagingMigrations } from '@vaultsvc/messaging/tables';
import type { SparksConfig } from './config.js';
import { CreatePasskeys1766820000000 } from './migrations/1766820000000-create-passkeys.js';
import { BudgetMessages1767310000000 } from './migrations/1767310000000-budget-messages.js';
import { ShareContents1767300000000 } from './migrations/1767300000000-share-contents.js';
import { CreateLinkPolicies1766810000000 } from './migrations/1766810000000-create-link-policies.js';
import { BudgetCodes1764720000000 } from './migrations/1764720000000-budget-codes.js';
import { CreateEpochKeys1764710000000 } from './migrations/keys/1764710000000-create-epoch-keys.js';
import { PartitionTombstones1764700000000 } from './migrations/1764700000000-partition-tombstones.js';
import { CountMessages1764540000000 } from './migrations/1764540000000-count-messages.js';
import { IndexLinkEnds1764530000000 } from './migrations/1764530000000-index-link-ends.js';
import { ExtendLinks1764500000000 } from './migrations/1764500000000-extend-links.js';
import { CreateSparks1763700000000 } from './migrations/1763700000000-create-sparks.js';

/** The service's schema in PostgreSQL; the migration job imports nothing else of the service. */
export const storage: Storage = {
  entities: [], // Plain SQL without an ORM: statements are on hot paths or change hundreds of rows.
  migrations: [
    ...messagingMigrations,
    CreateSparks1763700000000,
    ExtendLinks1764500000000,
    IndexLinkEnds1764530000000,
    CountMessages1764540000000,
    PartitionTombstones1764700000000,
    BudgetCodes1764720000000,
    CreateLinkPolicies1766810000000,
    CreatePasskeys1766820000000,
    ShareContents1767300000000,
    BudgetMessages1767310000000,
  ],
};

/** The database of epoch keys (ADR 21). */
export const keysDatabase: FurtherDatabase<SparksConfig> = {
  storage: { entities: [], migrations: [CreateEpochKeys1764710000000] },
  settingsOf: (config) => config.keysDatabase,
};
