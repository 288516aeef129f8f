import type { Provider, Type } from '@nestjs/common';
import { servedShard } from '@vaultsvc/config';
import { claimShard, Database } from '@vaultsvc/database';
import { StartConditions } from '@vaultsvc/messaging';
import { Gauge } from 'prom-client';

/** The number of the shard that this instance serves. */
export const SERVED_SHARD = Symbol('served shard');

const expected = new Gauge({
  name: 'vaultsvc_shard_expected',
  help: 'The shards of a service that SHARDS names, by service and shard.',
  labelNames: ['service', 'shard'],
});
const served = new Gauge({
  name: 'vaultsvc_shard_served',
  help: 'The shard that this instance serves, by service and shard.',
  labelNames: ['service', 'shard'],
});

/**
 * The shard of an instance. It accepts no calls before its database is known to be that of the shard: with another one it would answer
 * that nothing exists, and store rows where no call finds them (ADR 61).
 */
export function servedShardProvider(
  service: string,
  configClass: Type<{ readonly SHARDS: readonly number[] }>,
): Provider {
  return {
    provide: SERVED_SHARD,
    useFactory: (
      config: { readonly SHARDS: readonly number[] },
      database: Database,
      conditions: StartConditions,
    ) => {
      const shard = servedShard(config);
      for (const one of config.SHARDS) expected.set({ service, shard: one }, 1);
      served.set({ service, shard }, 1);
      conditions.add('shard', () => claimShard(database, shard));
      return shard;
    },
    inject: [configClass, Database, StartConditions],
  };
}
