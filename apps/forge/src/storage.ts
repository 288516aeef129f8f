import type { Storage } from '@vaultsvc/database';
import { messagingMigrations } from '@vaultsvc/messaging/tables';
import { CreateTransfers1764400000000 } from './migrations/1764400000000-create-transfers.js';
import { KeepLinkedBytes1764520000000 } from './migrations/1764520000000-keep-linked-bytes.js';
import { ReserveDownloads1764700000000 } from './migrations/1764700000000-reserve-downloads.js';
import { NameIstkUsers1764710000000 } from './migrations/1764710000000-name-istk-users.js';

/** The entities and migrations of the service, apart from its module: the migration job loads nothing else. */
export const storage: Storage = {
  entities: [], // Forge needs conditional SQL statements, no ORM
  migrations: [
    ...messagingMigrations,
    CreateTransfers1764400000000,
    KeepLinkedBytes1764520000000,
    ReserveDownloads1764700000000,
    NameIstkUsers1764710000000,
  ],
};
