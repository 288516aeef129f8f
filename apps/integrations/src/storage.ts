import type { Storage } from '@vaultsvc/database';
import { messagingMigrations } from '@vaultsvc/messaging/tables';
import { CreateChat1767200000000 } from './migrations/1767200000000-create-chat.js';
import { CreateRecords1767300000000 } from './migrations/1767300000000-create-records.js';
import { CreatePanels1767500000000 } from './migrations/1767500000000-create-panels.js';
import { RefreshTokens1767600000000 } from './migrations/1767600000000-refresh-tokens.js';
import { NormalizeRecords1767710000000 } from './migrations/1767710000000-normalize-records.js';
import { RunningDeliveries1767810000000 } from './migrations/1767810000000-running-deliveries.js';
import { ConfirmUninstallations1768100000000 } from './migrations/1768100000000-confirm-uninstallations.js';
import { CreateOAuthStates1768110000000 } from './migrations/1768110000000-create-oauth-states.js';
import { CreateInstallations1767000000000 } from './migrations/1767000000000-create-installations.js';

/** The entities and migrations of the service, apart from its module: the migration job loads nothing else. */
export const storage: Storage = {
  entities: [],
  migrations: [
    ...messagingMigrations,
    CreateInstallations1767000000000,
    CreateChat1767200000000,
    CreateRecords1767300000000,
    CreatePanels1767500000000,
    RefreshTokens1767600000000,
    NormalizeRecords1767710000000,
    RunningDeliveries1767810000000,
    ConfirmUninstallations1768100000000,
    CreateOAuthStates1768110000000,
  ],
};
