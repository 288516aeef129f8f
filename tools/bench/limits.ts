// The limits of this machine without the product, by which its figures are divided.
import { connect } from '@nats-io/transport-node';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { httpClient, load } from './load.ts';
import { natsOptions } from './nats-options.ts';

const KIB = Buffer.alloc(1_024, 'x');

interface Options {
  count: number;
  concurrency: number;
}

export async function measureLimits(stack: { nats_url: string; postgres_url: string }, options: Options) {
  return {
    http: await bareHttp(options),
    nats: await bareNats(stack.nats_url, options),
    ...(await barePostgres(stack.postgres_url, options)),
  };
}

/** A Node server in a separate process that answers 1 KB. */
async function bareHttp({ count, concurrency }: Options) {
  const server = spawn(process.execPath, [fileURLToPath(new URL('./bare-http.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(server.stdout, 'data');
  const client = httpClient(String(line).trim(), concurrency);
  try {
    return await load({ count, concurrency, task: () => client.send('GET', '/', {}) });
  } finally {
    client.close();
    server.kill();
  }
}

/** A request and its reply of 1 KB each between two connections. */
async function bareNats(url: string, { count, concurrency }: Options) {
  const [requester, responder] = await Promise.all([connect(natsOptions(url)), connect(natsOptions(url))]);
  responder.subscribe('bench.echo', { callback: (_error, message) => void message.respond(KIB) });
  await responder.flush();
  try {
    return await load({
      count,
      concurrency,
      task: () => requester.request('bench.echo', KIB, { timeout: 5_000 }),
    });
  } finally {
    await Promise.all([requester.close(), responder.close()]);
  }
}

/** One prepared INSERT per create, one prepared burn (lock, delete, return the old value) per read; each commits. */
async function barePostgres(connectionString: string, { count, concurrency }: Options) {
  const pool = new pg.Pool({ connectionString, max: 10 });
  try {
    await pool.query(`CREATE SCHEMA bench`);
    await pool.query(`CREATE TABLE bench.secret (id int PRIMARY KEY, payload bytea)`);
    const insert = await load({
      count,
      concurrency,
      task: (i) =>
        pool.query({ name: 'i', text: `INSERT INTO bench.secret VALUES ($1, $2)`, values: [i, KIB] }),
    });
    const burn = await load({
      count,
      concurrency,
      task: (i) => pool.query({ name: 'b', text: BURN, values: [i] }),
    });
    return { pgInsert: insert, pgBurn: burn };
  } finally {
    await pool.query(`DROP SCHEMA IF EXISTS bench CASCADE`);
    await pool.end();
  }
}

const BURN = `
  WITH old AS (SELECT id, payload FROM bench.secret WHERE id = $1 AND payload IS NOT NULL FOR UPDATE)
  UPDATE bench.secret s SET payload = NULL FROM old WHERE s.id = old.id RETURNING old.payload`;
