import { serviceStorage } from '@vaultsvc/messaging/tables';
import { CreateLedger1770000000000 } from './migrations/1770000000000-create-ledger.js';
import { CreatePools1770000000001 } from './migrations/1770000000001-create-pools.js';
import { CreateTransparencyLog1770000000002 } from './migrations/1770000000002-create-transparency-log.js';
import { CreateAuditEntries1770000000003 } from './migrations/1770000000003-create-audit-entries.js';
import { CreateAuditSinks1770000000004 } from './migrations/1770000000004-create-audit-sinks.js';
import { CreateBilling1770000000005 } from './migrations/1770000000005-create-billing.js';
import { ProtectAuditHeads1770000000006 } from './migrations/1770000000006-protect-audit-heads.js';
import { AddAuditActors1770000000007 } from './migrations/1770000000007-add-audit-actors.js';
import { BeginLogGenerations1770000000008 } from './migrations/1770000000008-begin-log-generations.js';
import { AddSparkLabels1770000000009 } from './migrations/1770000000009-add-spark-labels.js';
import { IndexSparkHistory1770000000010 } from './migrations/1770000000010-index-spark-history.js';
import { CreateAuditArchive1770000000011 } from './migrations/1770000000011-create-audit-archive.js';
import { AddShard1770000000012 } from './migrations/1770000000012-add-shard.js';
import { KeepLedgerByMonth1770000000013 } from './migrations/1770000000013-keep-ledger-by-month.js';

/** The schema of the service, apart from its module: the migration job loads nothing else. */
export const storage = serviceStorage([
  CreateLedger1770000000000,
  CreatePools1770000000001,
  CreateTransparencyLog1770000000002,
  CreateAuditEntries1770000000003,
  CreateAuditSinks1770000000004,
  CreateBilling1770000000005,
  ProtectAuditHeads1770000000006,
  AddAuditActors1770000000007,
  BeginLogGenerations1770000000008,
  AddSparkLabels1770000000009,
  IndexSparkHistory1770000000010,
  CreateAuditArchive1770000000011,
  AddShard1770000000012,
  KeepLedgerByMonth1770000000013,
]);
