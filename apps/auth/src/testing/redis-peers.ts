import {
  loadConfig,
  RedisSettings,
  rotatedKey,
  type RotatedKey,
  Setting,
  type Secret,
} from '@vaultsvc/config';
import {
  credentialAuthenticator,
  poolSnapshotAuthenticator,
  PoolSnapshotCache,
  RateLimiter,
  RedisConnection,
  type Admission,
  type PoolSnapshot,
} from '@vaultsvc/limits';
import type { Harness } from '@vaultsvc/testing/harness';

/** The settings of the services that share records with auth. */
class PeerConfig extends RedisSettings {
  @Setting(rotatedKey, 'As of the gateway.') CREDENTIAL_RECORD_KEY: Secret<RotatedKey>;
  @Setting(rotatedKey, 'As of the gateway and reporting.') POOL_SNAPSHOT_KEY: Secret<RotatedKey>;
  override readonly REDIS_ANSWER_MS = 30_000;
}

interface AdmissionOptions {
  readonly isResolved?: boolean;
  /** Of the services, where they use another Redis than the shared one. */
  readonly settings?: Record<string, string>;
}

/**
 * Admits a credential as the gateway does.
 * @param key `k:<hex lookup hash>` or `s:<session family>`
 */
export function admitAsGateway(
  harness: Harness,
  key: string,
  { isResolved = false, settings = {} }: AdmissionOptions = {},
): Promise<Admission> {
  return inRedisAs('gateway', harness, settings, (redis, config) => {
    const [credentials, pools] = [credentialAuthenticator(config), poolSnapshotAuthenticator(config)];
    const limits = { perAccount: 1_000_000, perAddress: 1_000_000 };
    const request = { key, isResolved, billable: false, clientIp: '192.0.2.1', limits };
    return new RateLimiter(redis, credentials, pools).admit(request);
  });
}

/** Publishes a pool snapshot as reporting does. */
export function publishAsReporting(
  harness: Harness,
  accountId: string,
  snapshot: PoolSnapshot,
): Promise<boolean> {
  return inRedisAs('reporting', harness, {}, (redis, config) =>
    new PoolSnapshotCache(redis, poolSnapshotAuthenticator(config)).put(accountId, snapshot),
  );
}

/** On a connection of its own: auth may neither count calls nor write pool snapshots. */
async function inRedisAs<T>(
  service: string,
  harness: Harness,
  settings: Record<string, string>,
  work: (redis: RedisConnection, config: PeerConfig) => Promise<T>,
): Promise<T> {
  const config = loadConfig(PeerConfig, await harness.environment(service, settings));
  const redis = new RedisConnection(config);
  try {
    await redis.open();
    return await work(redis, config);
  } finally {
    redis.close();
  }
}
