import {
  integer,
  RedisSettings,
  rotatedKey,
  type RotatedKey,
  type Secret,
  Setting,
  ShardConfig,
  withSettings,
} from '@vaultsvc/config';
import { BillingConfig } from './settings/billing-config.js';

const GIB = 1024 ** 3;

export class ReportingConfig extends withSettings(BillingConfig, withSettings(RedisSettings, ShardConfig)) {
  @Setting(
    rotatedKey,
    'Key of the MAC of pool snapshots in Redis; equal in reporting, auth and the gateway. Two keys while it changes: the first one signs.',
  )
  POOL_SNAPSHOT_KEY: Secret<RotatedKey>;

  @Setting(integer(), 'Bytes of storage of the default plan.')
  STORAGE_POOL_BYTES = 10 * GIB;

  @Setting(integer(), 'Bytes of bandwidth of the default plan, per cycle of 30 days.')
  BANDWIDTH_POOL_BYTES = 100 * GIB;

  @Setting(integer(), 'Users of the default plan.')
  IDENTITY_POOL_SEATS = 5;

  @Setting(
    integer({ min: 1 }),
    'Days for which the usage ledger lists entries one by one, before a job rolls them up into summaries of a day.',
  )
  LEDGER_DETAIL_DAYS = 35;

  @Setting(
    integer({ max: 1_200 }),
    'Months of UTC for which entries that were rolled up can still be listed (include_aggregated), besides the current one. Then their summaries alone stay. 0: for ever.',
  )
  LEDGER_KEPT_MONTHS = 13;
}
