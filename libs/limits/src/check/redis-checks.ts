import type { Check } from '@vaultsvc/service/check';
import type { RedisConfig } from '../redis-servers.js';
import { RedisConnection } from '../redis-connection.js';
import {
  credentialAuthenticator,
  poolSnapshotAuthenticator,
  type CredentialRecordConfig,
  type PoolSnapshotConfig,
} from '../redis.module.js';
import { compareKey, type SharedKeySettings } from '../shared-key.js';

/** Redis, as the user of this service. */
export function redisCheck(config: RedisConfig): Check {
  return {
    name: 'redis',
    advice:
      'See REDIS_URL: host, user and password, NODE_EXTRA_CA_CERTS for its certificate, and the ACL file that npm run provision writes.',
    run: () =>
      inRedis(config, async (redis) => {
        await redis.ping();
        if (redis.waitsForReplicas) await redis.command(['WAIT', '0', '0']); // for none: answers at once, if the user may
        return 'answers to the user of this service';
      }),
  };
}

/** Whether the key of credential records is that of auth. */
export function credentialKeyCheck(config: RedisConfig & CredentialRecordConfig): Check {
  const settings = { setting: 'CREDENTIAL_RECORD_KEY', record: 'cred:shared-key', writes: false };
  return keyCheck(config, settings, (redis) => compareKey(redis, credentialAuthenticator(config), settings));
}

/** Whether the key of pool snapshots is that of reporting. */
export function poolKeyCheck(config: RedisConfig & PoolSnapshotConfig): Check {
  const settings = { setting: 'POOL_SNAPSHOT_KEY', record: 'funds:shared-key', writes: false };
  return keyCheck(config, settings, (redis) =>
    compareKey(redis, poolSnapshotAuthenticator(config), settings),
  );
}

function keyCheck(
  config: RedisConfig,
  { setting }: SharedKeySettings,
  compare: (redis: RedisConnection) => Promise<boolean>,
): Check {
  return {
    name: setting,
    advice:
      'Once Redis answers, give the same value to all services that have the setting, or rotate it in three steps.',
    run: () =>
      inRedis(config, async (redis) =>
        (await compare(redis))
          ? 'equal to that of the running services'
          : 'not compared: no service with it has run yet',
      ),
  };
}

async function inRedis<T>(config: RedisConfig, work: (redis: RedisConnection) => Promise<T>): Promise<T> {
  const redis = new RedisConnection(config);
  try {
    await redis.open();
    return await work(redis);
  } finally {
    redis.close();
  }
}
