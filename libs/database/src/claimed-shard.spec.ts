import { describe, expect, it } from '@jest/globals';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { startSpecDatabase } from '@vaultsvc/testing/harness';
import { claimShard, CREATE_CLAIMED_SHARD_SQL } from './claimed-shard.js';

const fixture = useFixture(
  () => startSpecDatabase('claimed', [CREATE_CLAIMED_SHARD_SQL]),
  (started) => started.close(),
);
const clear = () => fixture.database.dataSource.query('DELETE FROM claimed_shard');

describe('MISC-01: a database', () => {
  it('is claimed for a shard once, and by every instance of it', async () => {
    await clear();
    await claimShard(fixture.database, 1);
    await claimShard(fixture.database, 1);
    await expect(claimShard(fixture.database, 0)).rejects.toThrow(
      'the database is that of shard 1, and SHARD is 0',
    );
    await claimShard(fixture.database, 1);
  });

  it('is claimed for one of two shards that start at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      await clear();
      await Promise.allSettled([claimShard(fixture.database, 1), claimShard(fixture.database, 2)]);
      const again = await Promise.allSettled([
        claimShard(fixture.database, 1),
        claimShard(fixture.database, 2),
      ]);
      expect(again.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });
});
