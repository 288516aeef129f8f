import { Setting } from './load-config.js';
import { integer, list, secret, secretUrl, text } from './parsers.js';
import { encryptedRedis, encryptedSentinels, withoutSentinels } from './production-rules.js';
import { Secret } from './secret.js';

/** The settings of a service with Redis. */
export class RedisSettings {
  @Setting(
    secretUrl,
    'Redis: credential records, counters of calls, pool snapshots; with the user of this service. With REDIS_SENTINELS its host is the name of the primary at Sentinel, with REDIS_CLUSTER it is a node of the cluster.',
    encryptedRedis,
  )
  REDIS_URL: Secret;

  @Setting(
    secret(list(redisServer)),
    'URLs of the Sentinels that name the primary of Redis, comma-separated: rediss://user:password@sentinel-0.example.com:26379. Empty: REDIS_URL names the server.',
    encryptedSentinels,
  )
  REDIS_SENTINELS = new Secret<readonly string[]>([]);

  @Setting(
    list(redisNode),
    'Nodes of a Redis Cluster, comma-separated: redis-0.example.com:6379,redis-1.example.com:6379. A service finds the others by any of them; protocol, user and password are those of REDIS_URL. Empty: no cluster.',
    withoutSentinels,
  )
  REDIS_CLUSTER: readonly string[] = [];

  @Setting(
    integer({ min: 50, max: 60_000 }),
    'Milliseconds until a call to Redis times out; requests that need its answer are then refused.',
  )
  REDIS_ANSWER_MS = 250;
}

function redisServer(value: string): string {
  const url = text(value);
  if (/^rediss?:\/\/[^/]+$/.test(url) && URL.canParse(url)) return url;
  throw new Error('must be a list of redis:// or rediss:// URLs without a path');
}

function redisNode(value: string): string {
  if (/^(\[[\da-fA-F:]+\]|[\w.-]+):\d{1,5}$/.test(value) && URL.canParse(`redis://${value}`)) return value;
  throw new Error('must be a list of host:port, without protocol, user and password');
}
