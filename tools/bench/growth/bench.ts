// The same loads on empty tables and on those of months of use, in alternating rounds.
import { parseArgs } from 'node:util';
import { readFileSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import type { StackDescription } from '../../stack/descriptor.ts';
import { withTemporaryStack } from '../../stack/temporary-stack.ts';
import { openEventBacklog } from '../platform/event-backlog.ts';
import { median, say, table } from '../report.ts';
import { createAndBurn } from '../sparks.ts';
import { fill, type Sizes } from './fill.ts';
import { measureLists } from './lists.ts';
import { readsBetween, readsOf, vacuumOf } from './tables.ts';

const LEAST_RATIO = 0.9;
const CONCURRENCIES = [32, 128];

interface Options {
  sizes: Sizes;
  count: number;
  rounds: number;
}

/** By the name of the figure: requests per second, or milliseconds. */
type Figures = Record<string, number>;

/** Each figure of the grown side, divided by that of the empty one: the median of the rounds. */
export interface Growth {
  sizes: Sizes;
  ratios: Figures;
}

/** `npm run bench -- growth`. `args`: the arguments after the name. */
export async function benchGrowth(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      size: { type: 'string', default: '1' },
      count: { type: 'string', default: '3000' },
      rounds: { type: 'string', default: '5' },
      save: { type: 'string' },
      baseline: { type: 'string' },
    },
  });
  const size = Number(values.size);
  if (!(size > 0)) throw new Error('--size needs a number above 0');
  const sizes = { spent: size * 10_000_000, live: size * 100_000, events: size * 10_000_000 };
  const options = { sizes, count: Number(values.count), rounds: Number(values.rounds) };
  const growth = await withTemporaryStack((empty) =>
    withTemporaryStack((grown) => measure(empty, grown, options)),
  );
  if (values.save) writeFileSync(values.save, `${JSON.stringify(growth, null, 2)}\n`);
  if (values.baseline) compareWith(values.baseline, growth);
}

async function measure(empty: StackDescription, grown: StackDescription, options: Options): Promise<Growth> {
  const databases = { empty: await connect(empty), grown: await connect(grown) };
  const backlog = await openEventBacklog(grown, databases.grown);
  const reads = async () => ({
    empty: await readsOf(databases.empty),
    grown: await readsOf(databases.grown),
  });
  try {
    for (const stack of [empty, grown]) await measureSide(stack, 1_000);
    await backlog.wait();
    await fill(databases.grown, grown.account.account_id ?? '', options.sizes);
    const before = await reads();
    const rounds = await measureRounds(empty, grown, options);
    await backlog.wait();
    const ratios = report(rounds);
    const after = await reads();
    const duringLoads = {
      empty: readsBetween(before.empty, after.empty),
      grown: readsBetween(before.grown, after.grown),
    };
    reportTables(duringLoads, await vacuumOf(databases.grown));
    return { sizes: options.sizes, ratios };
  } finally {
    await backlog.close();
    await Promise.all([databases.empty.end(), databases.grown.end()]);
  }
}

async function connect({ postgres_url }: StackDescription): Promise<pg.Client> {
  const database = new pg.Client({ connectionString: postgres_url });
  await database.connect();
  return database;
}

interface Round {
  empty: Figures;
  grown: Figures;
}

/** The first side alternates, so that a drift of the machine favours neither. */
async function measureRounds(empty: StackDescription, grown: StackDescription, { count, rounds }: Options) {
  const measured: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    const first = round % 2 ? empty : grown;
    const one = await measureSide(first, count);
    const other = await measureSide(first === empty ? grown : empty, count);
    measured.push(first === empty ? { empty: one, grown: other } : { empty: other, grown: one });
  }
  return measured;
}

async function measureSide(stack: StackDescription, count: number): Promise<Figures> {
  const figures: Figures = {};
  for (const concurrency of CONCURRENCIES) {
    const key = stack.account.api_key ?? '';
    const { create, burn } = await createAndBurn(stack.api_url, key, { count, concurrency, bytes: 1_024 });
    if (create.errors + burn.errors > 0) throw new Error(`${create.errors + burn.errors} requests failed`);
    for (const [step, { perSecond, p99 }] of Object.entries({ create, burn })) {
      figures[`${step} at ${concurrency}, per second`] = perSecond;
      figures[`${step} at ${concurrency}, p99 ms`] = p99;
    }
  }
  return { ...figures, ...(await measureLists(stack)) };
}

function report(rounds: Round[]): Figures {
  const names = Object.keys(rounds[0]?.empty ?? {});
  const of = (side: keyof Round, name: string) => rounds.map((round) => round[side][name] ?? Number.NaN);
  const ratiosOf = (name: string) =>
    rounds.map(({ empty, grown }) => (grown[name] ?? Number.NaN) / (empty[name] ?? Number.NaN));
  table(
    `Grown against empty tables: medians of ${rounds.length} rounds; rates at least ${LEAST_RATIO}`,
    ['', 'empty', 'grown', 'ratio', 'from', 'to', ''],
    names.map((name) => [
      name,
      median(of('empty', name)).toFixed(1),
      median(of('grown', name)).toFixed(1),
      ...[median(ratiosOf(name)), Math.min(...ratiosOf(name)), Math.max(...ratiosOf(name))].map((x) =>
        x.toFixed(2),
      ),
      name.endsWith('per second') && median(ratiosOf(name)) < LEAST_RATIO ? 'missed' : '',
    ]),
  );
  return Object.fromEntries(names.map((name) => [name, median(ratiosOf(name))]));
}

function reportTables(
  { empty, grown }: Record<keyof Round, ReturnType<typeof readsBetween>>,
  vacuums: Awaited<ReturnType<typeof vacuumOf>>,
) {
  table(
    'The largest tables: size with indexes; sequential scans and rows read during the same loads; dead rows and a vacuum after them',
    ['', 'MiB', 'of it indexes', 'scans', 'rows read', 'with empty tables', 'dead rows', 'vacuum ms'],
    vacuums.map(({ name, dead, mebibytes, indexMebibytes, milliseconds }) => [
      name,
      mebibytes.toFixed(0),
      indexMebibytes.toFixed(0),
      grown.get(name)?.scans ?? 0,
      grown.get(name)?.rows ?? 0,
      empty.get(name)?.rows ?? 0,
      dead,
      milliseconds.toFixed(0),
    ]),
  );
}

function compareWith(path: string, { sizes, ratios }: Growth) {
  const baseline = JSON.parse(readFileSync(path, 'utf8')) as Growth;
  table(
    `Ratios of ${path} (${JSON.stringify(baseline.sizes)}) and of this run (${JSON.stringify(sizes)})`,
    ['', 'baseline', 'now'],
    Object.entries(ratios).map(([name, ratio]) => [
      name,
      (baseline.ratios[name] ?? Number.NaN).toFixed(2),
      ratio.toFixed(2),
    ]),
  );
}
