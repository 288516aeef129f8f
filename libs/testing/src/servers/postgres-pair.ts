import {
  failOver,
  PrivateServers,
  sharedServersOfRun,
  urlOfPair,
  withAdmin,
  type PostgresPair,
} from '../../../../tools/test/servers.ts';

/** The settings of a service, and those of its hourly keys: `sparks` has all tables in a schema of this name. */
export interface PairSettings {
  readonly DATABASE_URL: string;
  readonly KEYS_DATABASE_URL: string;
  readonly DATABASE_SCHEMA: string;
}

/** A primary of PostgreSQL with a synchronous standby, for one service. */
export class PostgresPairServers {
  constructor(
    private readonly pair: PostgresPair,
    private readonly schema: string,
  ) {}

  get settings(): PairSettings {
    return {
      DATABASE_URL: urlOfPair(this.pair, 'vaultsvc'),
      KEYS_DATABASE_URL: urlOfPair(this.pair, 'vaultsvc_keys'),
      DATABASE_SCHEMA: this.schema,
    };
  }

  /** Kills the primary for good, and promotes its standby. */
  failOver(): Promise<void> {
    return failOver(this.pair);
  }

  async stop(): Promise<void> {
    await Promise.all([this.pair.primary, this.pair.standby].map((server) => server.kill('SIGKILL')));
  }
}

/** Starts one with an empty schema in two databases, of which the second one is for keys. */
export async function startPostgresPair(schema: string): Promise<PostgresPairServers> {
  const pair = await new PrivateServers(sharedServersOfRun().dir).startPostgresPair();
  const { primary } = pair;
  for (const name of ['vaultsvc', 'vaultsvc_keys']) {
    await withAdmin(primary, (admin) => admin.query(`CREATE DATABASE ${name}`));
    const url = primary.url.replace(/postgres$/, name);
    await withAdmin({ url }, (admin) => admin.query(`CREATE SCHEMA ${schema}`));
  }
  return new PostgresPairServers(pair, schema);
}
