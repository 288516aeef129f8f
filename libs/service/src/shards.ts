import type { Provider, Type } from '@nestjs/common';
import { shardsOf } from '@vaultsvc/config';
import { Database, holdShards } from '@vaultsvc/database';
import { StartConditions } from '@vaultsvc/messaging';

/** The shards that this instance serves. */
export const HELD_SHARDS = Symbol('held shards');

/**
 * The shards of a service. It does not accept calls before its database has said that it holds them: with the database of another
 * shard it would answer that nothing exists, and store new rows where nobody finds them (ADR 61).
 */
export function shardsProvider(configClass: Type<object>): Provider {
  return {
    provide: HELD_SHARDS,
    useFactory: (config: object, database: Database, conditions: StartConditions) => {
      const shards = shardsOf(config);
      conditions.add('shards', () => holdShards(database, shards));
      return shards;
    },
    inject: [configClass, Database, StartConditions],
  };
}
