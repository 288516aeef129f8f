import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger, type LoggerService } from '@nestjs/common';
import { databaseConfigOf, startSpecDatabase } from '@vaultsvc/testing/harness';
import { testSchema, type TestSchema } from '@vaultsvc/testing/servers';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createDataSource } from './data-source.js';
import { connectDatabase } from './database.module.js';
import { Database } from './database.js';
import { statement } from './statement.js';

const insert = statement('test.insert', `INSERT INTO notes (id, size) VALUES ($1, $2)`);
const select = statement('test.select', `SELECT id, size FROM notes ORDER BY id`);

let schema: TestSchema;
let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  const tables = ['CREATE TABLE notes (id int PRIMARY KEY, size bigint)'];
  ({ schema, database, close } = await startSpecDatabase('notes', tables));
});
afterAll(() => close());

const ids = async () => (await database.query<{ id: number }>(select)).map(({ id }) => id);

describe('A transaction', () => {
  it('rolls back everything when its work throws', async () => {
    const work = database.transaction(async (tx) => {
      await tx.query(insert, [1, 1]);
      expect(await tx.query(select)).toHaveLength(1);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await ids()).toEqual([]);
  });

  it('shows its rows to others only after the commit, and prepared statements share its connection', async () => {
    await database.transaction(async (tx) => {
      await tx.query(insert, [2, 1]);
      await tx.manager.query(`INSERT INTO notes (id, size) VALUES (3, 1)`);
      expect(await ids()).toEqual([]);
    });
    expect(await ids()).toEqual([2, 3]);
  });

  it('runs an effect after the commit and before it resolves', async () => {
    let seen: number[] = [];
    await database.transaction(async (tx) => {
      tx.afterCommit(async () => void (seen = await ids()));
      await tx.query(insert, [4, 1]);
    });
    expect(seen).toEqual([2, 3, 4]);
  });

  it('runs no effect after a rollback', async () => {
    let ran = false;
    const work = database.transaction(async (tx) => {
      tx.afterCommit(async () => void (ran = true));
      await tx.query(insert, [4, 1]); // a duplicate key
    });
    await expect(work).rejects.toThrow(/duplicate key/);
    expect(ran).toBe(false);
  });

  it('stays committed when an effect fails, and later effects still run', async () => {
    const logged: unknown[] = [];
    const capture: LoggerService = {
      log: () => undefined,
      warn: () => undefined,
      error: (entry) => void logged.push(entry),
    };
    Logger.overrideLogger(capture);
    let ran = false;
    await database.transaction(async (tx) => {
      tx.afterCommit(() => Promise.reject(new Error('Redis is down')));
      tx.afterCommit(async () => void (ran = true));
      await tx.query(insert, [5, 1]);
    });
    expect(ran).toBe(true);
    expect(await ids()).toContain(5);
    expect(logged).toMatchObject([
      { msg: 'an effect after the commit failed', err: { message: 'Redis is down' } },
    ]);
  });

  it('returns its connection after an error: more failures than connections leave the pool usable', async () => {
    for (let i = 0; i < 5; i++) {
      await expect(database.transaction((tx) => tx.query(insert, [2, 1]))).rejects.toThrow(/duplicate key/);
    }
    expect(await ids()).toContain(2);
  });
});

describe('A value from PostgreSQL', () => {
  it.each([0, -1, 2 ** 40, Number.MAX_SAFE_INTEGER])('is a number for bigint %d', async (size) => {
    const [row] = await database.query(statement('test.size', `SELECT $1::bigint AS size`), [size]);
    expect(row).toEqual({ size });
  });

  it('is an error, not a rounded number, outside the safe integers', async () => {
    const tooLarge = statement('test.large', `SELECT 9007199254740993::bigint AS size`);
    await expect(database.query(tooLarge)).rejects.toThrow(/outside the safe integers/);
    expect(await ids()).toContain(2);
  });
});

describe('The connection of a service', () => {
  const setting = statement(
    'test.settings',
    `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
            current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('search_path') AS path`,
  );

  it('has timeouts for statements, locks and idle transactions (ADR 16)', async () => {
    expect(await database.query(setting)).toEqual([
      { statement: '5s', lock: '4s', idle: '10s', path: schema.schema },
    ]);
  });

  it('derives all three from one setting, so that a lock timeout comes before its statement timeout', async () => {
    const config = databaseConfigOf(schema, { DATABASE_STATEMENT_MS: '30000' });
    const patient = await createDataSource(config, { migrations: [] }).initialize();
    const [bounds] = await new Database(patient).query(setting);
    await patient.destroy();
    expect(bounds).toMatchObject({ statement: '30s', lock: '29s', idle: '1min' });
  });

  it("cannot read another service's schema", async () => {
    const other = await testSchema('other');
    const peek = statement('test.peek', `SELECT * FROM ${other.schema}.anything`);
    await expect(database.query(peek)).rejects.toMatchObject({ code: '42501' }); // insufficient_privilege
    await other.drop();
  });
});

/** A TCP proxy to PostgreSQL that can go silent without closing, as a firewall or a host without power does. */
class Tunnel {
  readonly #sockets: Socket[] = [];
  readonly #server: Server;

  /** @param silentAtFirst how many connections get no answer */
  constructor({ hostname, port }: URL, silentAtFirst = 0) {
    let count = 0;
    this.#server = createServer((client) => {
      const server = connect(Number(port), hostname);
      this.#sockets.push(client, server);
      for (const socket of [client, server]) socket.on('error', () => {});
      client.on('close', () => server.destroy());
      server.on('close', () => client.destroy());
      if (++count <= silentAtFirst) return;
      client.on('data', (data) => server.write(data));
      server.on('data', (data) => client.write(data));
    });
  }

  /** Opens the tunnel, and leads the URL of a schema through it. */
  async through(schema: TestSchema): Promise<TestSchema> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const url = new URL(schema.databaseUrl);
    url.port = String((this.#server.address() as AddressInfo).port);
    return { ...schema, databaseUrl: url.toString() };
  }

  /** Open connections stay silent from now on; new ones work. */
  forget(): void {
    for (const socket of this.#sockets) socket.pause().removeAllListeners('data');
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

describe('OPEN-51: A data source with sslmode=verify-full', () => {
  it('does not connect to a server without TLS', async () => {
    const databaseUrl = `${schema.databaseUrl}?sslmode=verify-full`;
    const source = createDataSource(databaseConfigOf({ ...schema, databaseUrl }), {
      migrations: [],
    });
    await expect(source.initialize()).rejects.toThrow('does not support SSL');
  });
});

describe('The first connection of a service', () => {
  it('is tried again when PostgreSQL does not answer in time', async () => {
    const tunnel = new Tunnel(new URL(schema.databaseUrl), 1);
    const config = databaseConfigOf(await tunnel.through(schema));
    const connected = await connectDatabase(config, { migrations: [] });
    expect(await connected.query(statement('test.one', 'SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    await connected.dataSource.destroy();
    tunnel.close();
  });
});

describe('A connection that goes silent', () => {
  it('times out for single statements and inside transactions, and the pool recovers', async () => {
    const tunnel = new Tunnel(new URL(schema.databaseUrl));
    const config = databaseConfigOf(await tunnel.through(schema), { DATABASE_STATEMENT_MS: '2000' });
    const source = await createDataSource(config, { migrations: [] }).initialize();
    const through = new Database(source);
    await through.query(select);
    await through.transaction(async (tx) => {
      await tx.query(select);
      await through.query(select); // both connections of the pool are open now
    });
    let alone: Promise<unknown> | undefined;
    const inTransaction = through.transaction(async (tx) => {
      await tx.query(select);
      tunnel.forget();
      alone = through.query(select);
      await tx.query(select);
    });
    await expect(inTransaction).rejects.toThrow('Query read timeout');
    await expect(alone).rejects.toThrow('Query read timeout');
    await Promise.all([through.query(select), through.query(select), through.query(select)]);
    await source.destroy();
    tunnel.close();
  });
});
