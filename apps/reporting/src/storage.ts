import type { Storage } from '@vaultsvc/database';
import { messagingMigrations } from '@vaultsvc/messaging/tables';
import { CreateLedgerAndPools1764000000000 } from './migrations/1764000000000-create-ledger-and-pools.js';
import { CreateReservations1764410000000 } from './migrations/1764410000000-create-reservations.js';
import { ChainReservations1764420000000 } from './migrations/1764420000000-chain-reservations.js';
import { MergeLedgerLines1765500000000 } from './migrations/1765500000000-merge-ledger-lines.js';
import { CreateTransparencyLog1766100000000 } from './migrations/1766100000000-create-transparency-log.js';
import { IdentifyLedgerEntries1766200000000 } from './migrations/1766200000000-identify-ledger-entries.js';
import { CountUsage1766210000000 } from './migrations/1766210000000-count-usage.js';
import { RollUpLedger1766220000000 } from './migrations/1766220000000-roll-up-ledger.js';
import { CreateAuditEntries1766300000000 } from './migrations/1766300000000-create-audit-entries.js';
import { CreateAuditSinks1766400000000 } from './migrations/1766400000000-create-audit-sinks.js';
import { CreateBilling1766600000000 } from './migrations/1766600000000-create-billing.js';
import { CountBandwidth1766700000000 } from './migrations/1766700000000-count-bandwidth.js';

/** The entities and migrations of the service, apart from its module: the migration job loads nothing else. */
export const storage: Storage = {
  entities: [],
  migrations: [
    ...messagingMigrations,
    CreateLedgerAndPools1764000000000,
    CreateReservations1764410000000,
    ChainReservations1764420000000,
    MergeLedgerLines1765500000000,
    CreateTransparencyLog1766100000000,
    IdentifyLedgerEntries1766200000000,
    CountUsage1766210000000,
    RollUpLedger1766220000000,
    CreateAuditEntries1766300000000,
    CreateAuditSinks1766400000000,
    CreateBilling1766600000000,
    CountBandwidth1766700000000,
  ],
};
