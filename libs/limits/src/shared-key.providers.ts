import type { Provider } from '@nestjs/common';
import { StartConditions } from '@vaultsvc/messaging';
import { ReadinessChecks } from '@vaultsvc/service';
import type { RecordAuthenticator } from './record-authenticator.js';
import { RedisConnection } from './redis-connection.js';
import { credentialAuthenticator, poolSnapshotAuthenticator } from './redis.module.js';
import { SharedKey } from './shared-key.js';
import type { VersionedRecord } from './versioned-records.js';

/** Compares the key of credential records. `writes`: for auth, which signs with it. */
export const sharedCredentialKey = providerOf(
  'CREDENTIAL_RECORD_KEY',
  'cred:shared-key',
  credentialAuthenticator,
);

/** Compares the key of pool snapshots. `writes`: for reporting, which signs with it. */
export const sharedPoolKey = providerOf('POOL_SNAPSHOT_KEY', 'funds:shared-key', poolSnapshotAuthenticator);

function providerOf<C>(
  setting: string,
  record: string,
  authenticatorOf: (config: C) => RecordAuthenticator<VersionedRecord>,
) {
  return (configClass: new () => C, { writes = false } = {}): Provider => ({
    provide: Symbol(setting),
    useFactory: (
      redis: RedisConnection,
      config: C,
      conditions: StartConditions,
      readiness: ReadinessChecks,
    ) => new SharedKey(redis, authenticatorOf(config), { setting, record, writes }, conditions, readiness),
    inject: [RedisConnection, configClass, StartConditions, ReadinessChecks],
  });
}
