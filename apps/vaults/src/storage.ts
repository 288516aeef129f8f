import type { Storage } from '@vaultsvc/database';
import { messagingMigrations } from '@vaultsvc/messaging/tables';
import { CreateVaults1764300000000 } from './migrations/1764300000000-create-vaults.js';
import { CreateFolders1764310000000 } from './migrations/1764310000000-create-folders.js';
import { CreateIngots1764320000000 } from './migrations/1764320000000-create-ingots.js';
import { CreateSharing1764510000000 } from './migrations/1764510000000-create-sharing.js';
import { MarkLinkedShares1764520000000 } from './migrations/1764520000000-mark-linked-shares.js';
import { CreateStructured1764600000000 } from './migrations/1764600000000-create-structured.js';
import { KeepClaims1764610000000 } from './migrations/1764610000000-keep-claims.js';

/** The tables of the service; the migration job loads only this. */
export const storage: Storage = {
  entities: [], // conditional statements decide here: SQL, no ORM
  migrations: [
    ...messagingMigrations,
    CreateVaults1764300000000,
    CreateFolders1764310000000,
    CreateIngots1764320000000,
    CreateSharing1764510000000,
    MarkLinkedShares1764520000000,
    CreateStructured1764600000000,
    KeepClaims1764610000000,
  ],
};
