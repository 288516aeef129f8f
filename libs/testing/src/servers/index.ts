export { formsOf, found, heldOnDisk, heldUnder, writeBuffers } from './disks.js';
export type { TestServer } from './private.js';
export {
  startKms,
  startNats,
  startNatsCluster,
  startPgBouncer,
  startPostgres,
  startRedis,
  startRedisWithSentinel,
  startTransit,
} from './private.js';
export { startPostgresPair, type PostgresPairServers } from './postgres-pair.js';
export type { SharedServers } from './shared.js';
export { startRedisCluster, type RedisClusterServers, type RedisShard } from './redis-cluster.js';
export { inspectRedis, type RedisInspector } from './redis.js';
export {
  awsKeyOf,
  kmsCredentialsOf,
  redisUrlOf,
  sharedServers,
  transitKeyOf,
  transitSettingsOf,
} from './shared.js';
export type { TestSchema } from './schema.js';
export { copiedSchemas, ownerUrlOf, testSchema } from './schema.js';
export { schemaTemplate, type SchemaToMigrate, type TablesOfService } from './schema-template.js';
