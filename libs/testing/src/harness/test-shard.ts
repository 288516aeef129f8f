/** `TEST_SHARD=1 npm test -- --only tests apps/e2e`: this is the only shard of the services of all tests. */
export const testShard = Number(process.env['TEST_SHARD'] ?? 0);

/** The settings of services that do so. */
export const shardSettings: Readonly<Record<string, string>> =
  testShard === 0
    ? {}
    : { SHARDS: String(testShard), SHARD: String(testShard), ACCOUNT_SHARDS: String(testShard) };
