import type { PostgresServer } from '@vaultsvc/config';
import pg from 'pg';

/** A server that does not answer must leave time for the others within the wait for a connection. */
const ANSWER_MS = 1_500;

/** None of the servers of DATABASE_URL accepts writes at the moment. */
export class NoWritableServer extends Error {
  override readonly name = 'NoWritableServer';
}

/** Finds the server that accepts writes, beginning with the one that did the last time. */
class WritableServer {
  readonly #servers: PostgresServer[];

  constructor(servers: readonly PostgresServer[]) {
    this.#servers = [...servers];
  }

  /** @throws NoWritableServer */
  async find(options: pg.ClientConfig): Promise<PostgresServer> {
    const failures: unknown[] = [];
    for (const server of [...this.#servers])
      try {
        if (await isWritable(server, options)) return this.#prefer(server);
        failures.push(new Error(`${server.host}:${server.port} is read-only`));
      } catch (error) {
        failures.push(error);
      }
    throw new NoWritableServer('no server of DATABASE_URL accepts writes', {
      cause: new AggregateError(failures),
    });
  }

  #prefer(server: PostgresServer): PostgresServer {
    this.#servers.sort((a, b) => Number(b === server) - Number(a === server));
    return server;
  }
}

/** As libpq decides for `target_session_attrs=read-write`. */
async function isWritable(server: PostgresServer, options: pg.ClientConfig): Promise<boolean> {
  const bounds = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  const client = at(server, new pg.Client({ ...options, ...bounds }));
  client.on('error', () => undefined); // the query fails with it
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
    return rows[0]?.transaction_read_only === 'off';
  } finally {
    await client.end();
  }
}

function at<C extends pg.Client>({ host, port }: PostgresServer, client: C): C {
  return Object.assign(client, { host, port });
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/**
 * The client of a pool with several servers: each new connection goes to the one that accepts writes at that moment. A server
 * cannot stop accepting writes without ending its connections.
 */
export function clientOfWritable(servers: readonly PostgresServer[]): typeof pg.Client {
  const writable = new WritableServer(servers);
  return class extends pg.Client {
    constructor(private readonly options: pg.ClientConfig) {
      super(options);
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | void {
      const found = writable.find(this.options).then((server) => void at(server, this));
      if (!callback) return found.then(() => super.connect());
      found.then(() => super.connect(callback), callback as (error: Error) => void);
    }
  };
}
