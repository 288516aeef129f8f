import type { Provider, Type } from '@nestjs/common';
import { servedShard } from '@vaultsvc/config';
import { claimShard, Database } from '@vaultsvc/database';
import { StartConditions } from '@vaultsvc/messaging';

/** The number of the shard that this instance serves. */
export const SERVED_SHARD = Symbol('served shard');

/**
 * The shard of an instance. It accepts no calls before its database is known to be that of the shard: with another one it would answer
 * that nothing exists, and store rows where no call finds them (ADR 61).
 */
export function servedShardProvider(configClass: Type<object>): Provider {
  return {
    provide: SERVED_SHARD,
    useFactory: (config: object, database: Database, conditions: StartConditions) => {
      const shard = servedShard(config);
      conditions.add('shard', () => claimShard(database, shard));
      return shard;
    },
    inject: [configClass, Database, StartConditions],
  };
}
