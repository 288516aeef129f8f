// Bytes that a create and a burn leave in all databases and in the object store.
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { StackDescription } from '../../stack/descriptor.ts';
import { withTemporaryStack } from '../../stack/temporary-stack.ts';
import { openEventBacklog } from '../platform/event-backlog.ts';
import { say, table } from '../report.ts';
import { createAndBurn } from '../sparks.ts';

const DATABASE_BYTES_MAX = 500;
const OBJECT_BYTES_MAX = 300;
const WAIT_MS = 240_000;

/** Rows of these tables end by themselves, or are a bounded number for an account. */
const ENDS: Readonly<Record<string, string>> = {
  'reporting.ledger': 'LEDGER_DETAIL_DAYS, then LEDGER_KEPT_MONTHS; a line of a day stays',
  'reporting.processed': '9 days',
  'sparks.sent_batches': 'until the events are applied',
  'reporting.audit_entries': 'fewer than 2,048 old entries of an account stay',
};

/** Bytes by table, with indexes, as `schema.table`. */
type Sizes = ReadonlyMap<string, number>;

/** `npm run bench -- bytes`. `args`: the arguments after the name. */
export async function benchBytes(args: string[]) {
  const { values } = parseArgs({ args, options: { count: { type: 'string', default: '20000' } } });
  const count = Number(values.count);
  await withTemporaryStack((stack) => measure(stack, count), {
    settings: { AUDIT_ARCHIVE_AFTER_SECONDS: '1' },
  });
}

async function measure(stack: StackDescription, count: number) {
  const database = new pg.Client({ connectionString: stack.postgres_url });
  await database.connect();
  const backlog = await openEventBacklog(stack, database);
  try {
    await load(stack, 500);
    await backlog.wait();
    const before = await sizesOf(database);
    say(`creating and burning ${count} Sparks`);
    await load(stack, count);
    await backlog.wait();
    say('ending their lives, and waiting for the jobs that archive and delete');
    await endSparks(database);
    await until(async () => (await remaining(database)) === 0);
    report(count, before, await sizesOf(database), bytesIn(segmentsOf(stack)));
  } finally {
    await backlog.close();
    await database.end();
  }
}

async function load(stack: StackDescription, count: number) {
  const options = { count, concurrency: 32, bytes: 1_024 };
  const { create, burn } = await createAndBurn(stack.api_url, stack.account.api_key ?? '', options);
  if (create.errors + burn.errors > 0) throw new Error(`${create.errors + burn.errors} requests failed`);
}

/** As a day later: their job takes them out of the lists. */
function endSparks(database: pg.Client) {
  return database.query(
    `UPDATE sparks.sparks SET expires_at = now() - interval '1 day', due_at = now() - interval '1 day' WHERE status = 'ash'`,
  );
}

/** Sparks that are not tombstones yet, and whole segments that are not archived. */
async function remaining(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ left: string }>(
    `SELECT (SELECT count(*) FROM sparks.sparks WHERE status = 'ash')
          + (SELECT count(*) / 2048 FROM reporting.audit_entries) AS left`,
  );
  return Number(rows[0]?.left);
}

/** Of tables without the space that deleted rows have left for later ones. */
async function sizesOf(database: pg.Client): Promise<Sizes> {
  await database.query('VACUUM FULL');
  const { rows } = await database.query<{ name: string; bytes: string }>(
    `SELECT schemaname || '.' || relname AS name, pg_total_relation_size(relid) AS bytes FROM pg_stat_user_tables`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

/** The folder of the archive, beside that of files. */
function segmentsOf({ objects_dir: objects }: StackDescription): string {
  if (!objects) throw new Error('the stack keeps its objects elsewhere');
  return join(dirname(objects), 'audit-log', 'audit-segments');
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, entry) => bytes + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function report(count: number, before: Sizes, after: Sizes, objectBytes: number) {
  const grown = [...after]
    .map(([name, bytes]) => ({ name, bytes: (bytes - (before.get(name) ?? 0)) / count }))
    .filter(({ bytes }) => bytes >= 1)
    .toSorted((a, b) => b.bytes - a.bytes);
  const forEver = grown.filter(({ name }) => !(name in ENDS)).reduce((sum, { bytes }) => sum + bytes, 0);
  table(
    `Bytes for each create and burn of ${count}, tables with their indexes`,
    ['', 'bytes', 'how long'],
    grown.map(({ name, bytes }) => [name, bytes.toFixed(1), ENDS[name] ?? 'for ever']),
  );
  const objects = objectBytes / count;
  table(
    'Left for ever',
    ['', 'bytes', 'goal', ''],
    [
      [
        'databases',
        forEver.toFixed(0),
        DATABASE_BYTES_MAX,
        forEver <= DATABASE_BYTES_MAX ? 'reached' : 'missed',
      ],
      [
        'object store',
        objects.toFixed(0),
        OBJECT_BYTES_MAX,
        objects <= OBJECT_BYTES_MAX ? 'reached' : 'missed',
      ],
    ],
  );
}

async function until(isDone: () => Promise<boolean>) {
  for (const end = Date.now() + WAIT_MS; !(await isDone()); await delay(1_000))
    if (Date.now() > end) throw new Error(`rows are left after ${WAIT_MS / 1_000} s`);
}
