import type { AccountContext } from '@vaultsvc/contracts';
import type { Bus } from '@vaultsvc/messaging';
import { accountContext, startHarness } from '@vaultsvc/testing/harness';
import pg from 'pg';
import type { ServiceInstance } from './instance-faults.js';
import { buildService, migrateService, startInstance } from './service-instances.ts';

/** Runs a statement, also after a failover. */
export interface RaceDatabase {
  query(text: string): Promise<readonly unknown[]>;
}

/** Processes of sparks and their databases, for callers that race. */
export interface RaceSite {
  readonly bus: Bus;
  readonly instances: readonly ServiceInstance[];
  /** One of each shard. */
  readonly databases: readonly RaceDatabase[];
  /** The context of a new account, for the race of this number. */
  newOwner(number: number): AccountContext;
  /** Faults besides those of the instances, until the signal. `progress`: the share of the races that have ended. */
  disturb?(signal: AbortSignal, progress: () => number): Promise<void>;
  stop(): Promise<void>;
}

const INSTANCES = 3;

/** Three processes of sparks with one database, on the servers of the run. */
export async function startOneShard(): Promise<RaceSite> {
  const harness = await startHarness();
  const bundle = await buildService('sparks');
  const environment = await harness.environment('sparks', { LOG_LEVEL: 'silent' });
  await migrateService(bundle, environment);
  const instances = await Promise.all(
    Array.from({ length: INSTANCES }, () => startInstance(bundle, environment)),
  );
  const database = new pg.Client({ connectionString: environment['DATABASE_URL'] });
  await database.connect();
  return {
    bus: harness.bus,
    instances,
    databases: [{ query: async (text) => (await database.query(text)).rows }],
    newOwner: () => accountContext(),
    stop: async () => {
      await Promise.all(instances.map((instance) => instance.kill()));
      await database.end();
      await harness.stop();
    },
  };
}
