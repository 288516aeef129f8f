/** `TEST_SHARD=1 npm test -- --only tests apps/e2e`: the accounts of all tests are of this shard, as are the instances of sparks. */
export const testShard = Number(process.env['TEST_SHARD'] ?? 0);

/** The settings of services that do so. */
export const shardSettings: Readonly<Record<string, string>> =
  testShard === 0 ? {} : { SHARDS: String(testShard), ACCOUNT_SHARDS: String(testShard) };
