// npm run bench -- forge --with FOLDER: processor time of transfers, compared with another checkout in interleaved pairs.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSource } from '../../build/load-source.ts';
import { keySettings } from '../../provision/keys.ts';
import { readTopology } from '../../provision/topology.ts';
import { ratioOf, type Pair } from '../interval.ts';
import { median, say, table } from '../report.ts';
import { sum } from '../rows.ts';
import { sideOf, withBenchEnvironment, type BenchEnvironment } from './bench-environment.ts';
import { closeClients } from './clients.ts';
import { createContent, loadsOf, warmUp } from './loads.ts';
import { measureLoad, type Load, type Run } from './rounds.ts';
import { prepareForge, startForge, startInfrastructure } from './servers.ts';
import { forgeTarget, type Target } from './targets.ts';

const TRANSFERS = new URL('./transfers.ts', import.meta.url);
const OWN = fileURLToPath(new URL('../../..', import.meta.url));

/** A Forge with servers of its own. */
interface Side {
  target: Target;
  close: () => Promise<void>;
}

/** @param options `checkout`: the folder of the other checkout, with its node modules; `bytes` of the file of one client */
export async function benchForgePairs(options: { checkout: string; bytes: number; rounds: number }) {
  report(await withBenchEnvironment((bench) => measure(bench, options)));
}

async function measure(
  bench: BenchEnvironment,
  { checkout, bytes, rounds }: { checkout: string; bytes: number; rounds: number },
) {
  const sides: Side[] = [];
  try {
    for (const [name, folder] of Object.entries({ own: OWN, other: checkout }))
      sides.push(await startSide(sideOf(bench, name), folder));
    const content = await createContent(bench, bytes);
    const targets = sides.map(({ target }) => target);
    say('warming up');
    for (const load of warmUp(content)) await measureLoad(targets, load);
    return await measurePairs(targets, loadsOf(content, bytes), rounds);
  } finally {
    closeClients();
    await Promise.all(sides.map((side) => side.close()));
  }
}

async function startSide(bench: BenchEnvironment, folder: string): Promise<Side> {
  say(`building the Forge of ${folder} and starting its servers`);
  const [{ Transfers }, infrastructure] = await Promise.all([
    loadSource(TRANSFERS, 'bench'),
    startInfrastructure(bench),
  ]);
  const instance = await startForge(bench, await prepareForge(bench, infrastructure, folder));
  const settings = keySettings(readTopology(), infrastructure.keys, 'vaults');
  const transfers = await Transfers.connect(infrastructure.nats.url, settings);
  const target = forgeTarget(basename(bench.dir), instance, transfers, infrastructure);
  return { target, close: () => transfers.close() };
}

/** The first side of a pair alternates, so that a drift of the machine favours neither. */
async function measurePairs(targets: Target[], loads: Load[], rounds: number): Promise<Run[]> {
  const runs: Run[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`pair ${round} of ${rounds}`);
    const order = round % 2 ? targets : targets.toReversed();
    for (const load of loads) runs.push(...(await measureLoad(order, load)));
  }
  return runs;
}

function report(runs: Run[]) {
  const rows = [...new Set(runs.map(({ clients }) => clients))].flatMap((clients) =>
    (['upload', 'download'] as const).map((direction) => {
      const pairs = pairsOf(
        runs.filter((run) => run.clients === clients),
        direction,
      );
      const { ratio, low, high } = ratioOf(pairs);
      const middle = (side: keyof Pair) => median(pairs.map((pair) => pair[side])).toFixed(0);
      const numbers = [ratio, low, high].map((x) => x.toFixed(3));
      return [`${direction}, ${clients} client(s)`, middle('own'), middle('other'), ...numbers];
    }),
  );
  table(
    'Processor time per transfer (median), and its ratio: geometric mean and 95 % interval of the pairs',
    ['', 'this ms', 'other ms', 'ratio', 'from', 'to'],
    rows,
  );
}

function pairsOf(runs: Run[], direction: 'upload' | 'download'): Pair[] {
  const of = (name: string) =>
    runs
      .filter(({ target }) => target === name)
      .map((run) => sum(run[direction].cpuMs) / run[direction].results.length);
  const [own, other] = [of('own'), of('other')];
  return own.map((value, i) => ({ own: value, other: other[i] ?? Number.NaN }));
}
