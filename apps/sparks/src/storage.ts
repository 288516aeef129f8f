import type { FurtherDatabase } from '@vaultsvc/database';
import { serviceStorage } from '@vaultsvc/messaging/tables';
import { keysDatabaseOf, type SparksDatabaseConfig } from './config.js';
import { CreateSparks1770000000000 } from './migrations/1770000000000-create-sparks.js';
import { CreateTombstones1770000000001 } from './migrations/1770000000001-create-tombstones.js';
import { CreateLinks1770000000002 } from './migrations/1770000000002-create-links.js';
import { CreateVerifications1770000000003 } from './migrations/1770000000003-create-verifications.js';
import { AddLabelsAndCreators1770000000004 } from './migrations/1770000000004-add-labels-and-creators.js';
import { AddShards1770000000005 } from './migrations/1770000000005-add-shards.js';
import { CreateEpochKeys1770000000000 } from './migrations/keys/1770000000000-create-epoch-keys.js';

/** The schema of the service, apart from its module: the migration job loads nothing else. */
export const storage = serviceStorage([
  CreateSparks1770000000000,
  CreateTombstones1770000000001,
  CreateLinks1770000000002,
  CreateVerifications1770000000003,
  AddLabelsAndCreators1770000000004,
  AddShards1770000000005,
]);

/** The database of epoch keys (ADR 21). */
export const keysDatabase: FurtherDatabase<SparksDatabaseConfig> = {
  storage: { migrations: [CreateEpochKeys1770000000000] },
  settingsOf: keysDatabaseOf,
};
