#!/usr/bin/env node
// npm run simulate: predicts throughput and latency of creates and burns from measured costs, and compares with measurements.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { say, table } from '../bench/report.ts';
import { removeStacksOnSignals, withTemporaryStack } from '../stack/temporary-stack.ts';
import { randomFrom } from '../test/random.ts';
import { STEPS, type Step } from '../bench/platform/rounds.ts';
import { measureCosts, type Load, type Measurement, type Measurements } from './costs.ts';
import { fit, type Fitted } from './fit.ts';
import { simulate, type Network, type Simulated } from './network.ts';
import { scaled } from './scaled.ts';

const usage = `Predicts requests a second, p50 and p99 of creates and burns by a queueing network with the costs of this machine.

  npm run simulate                        measures the costs, then compares six loads that a seed draws with their measurements
      --seed N                            of the loads (1)
      --rounds N                          short measurements of each load, in turn (12)
      --save FILE                         writes the network, for the other form
  npm run simulate -- --costs FILE        predicts with the costs of such a file, without measuring
      --callers N                         (32)
      --cores N                           of each machine (as measured)
      --apart                             each kind of process has a machine of its own
      --gateways N --sparks N             copies of these services (1)
`;

/** What a network was made of. */
interface Costs {
  networks: Record<Step, Fitted>;
}

/** What the network is fitted to: `Loads`. */
const FITTED = { one: 1, few: 4, many: 32, most: 128 };
/** Of one round: about half a second. */
const COUNT = { ofCaller: 24, least: 150, most: 1_500 };
const DRAWN = 6;
const REQUESTS = 20_000;

async function main(given: string[]) {
  const { values } = parseArgs({
    args: given,
    options: {
      help: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '12' },
      save: { type: 'string' },
      costs: { type: 'string' },
      callers: { type: 'string', default: '32' },
      cores: { type: 'string' },
      apart: { type: 'boolean', default: false },
      gateways: { type: 'string', default: '1' },
      sparks: { type: 'string', default: '1' },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  if (values.costs === undefined) return compare(Number(values.seed), Number(values.rounds), values.save);
  const { networks } = JSON.parse(readFileSync(values.costs, 'utf8')) as Costs;
  const copies = { gateway: Number(values.gateways), sparks: Number(values.sparks) };
  const cores = values.cores === undefined ? undefined : Number(values.cores);
  predict(networks, Number(values.callers), { cores, apart: values.apart, copies });
}

function predict(networks: Record<Step, Fitted>, callers: number, options: Parameters<typeof scaled>[1]) {
  table(
    `Predicted for ${callers} callers`,
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'busiest'],
    STEPS.map((step) => {
      const fitted = { ...networks[step], network: scaled(networks[step].network, options) };
      const simulated = runOf(fitted, callers);
      return [step, ...cells(simulated), busiestOf(fitted.network, simulated)];
    }),
  );
}

/** The station whose processes are nearest to a whole core each. */
function busiestOf({ stations }: Network, { perSecond, cpuUs }: Simulated): string {
  const shares = stations.map(({ name, lanes, copies = 1 }) => ({
    name,
    share: ((cpuUs[name] ?? 0) * perSecond) / 1e6 / (lanes * copies),
  }));
  const { name = '', share = 0 } = shares.toSorted((a, b) => b.share - a.share)[0] ?? {};
  return `${name}, ${(share * 100).toFixed(0)} % of a core`;
}

async function compare(seed: number, rounds: number, save: string | undefined) {
  const loads = drawLoads(seed);
  await withTemporaryStack(async (stack) => {
    const database = new pg.Client({ connectionString: stack.postgres_url });
    await database.connect();
    const callers = [...Object.values(FITTED), ...loads.map((load) => load.callers)];
    try {
      say('warming up');
      await measureCosts(stack, database, [{ callers: FITTED.many, count: 3_000 }], 1);
      const measured = await measureCosts(stack, database, callers.map(loadOf), rounds);
      const networks = fitBoth(measured);
      if (save) writeFileSync(save, `${JSON.stringify({ networks } satisfies Costs, null, 2)}\n`);
      const fitted = measured.slice(0, Object.keys(FITTED).length);
      for (const step of STEPS) {
        const each = Object.values(FITTED).map((count) => ({ callers: count, step }));
        reportLoads(`Fitted, ${step}`, each, fitted, networks);
      }
      reportLoads('Drawn, and not fitted', loads, measured.slice(fitted.length), networks);
    } finally {
      await database.end();
    }
  });
}

function loadOf(callers: number): Load {
  return { callers, count: Math.max(COUNT.least, Math.min(COUNT.most, callers * COUNT.ofCaller)) };
}

/** @param measured begins with the loads of `FITTED` */
function fitBoth(measured: readonly Measurements[]): Record<Step, Fitted> {
  say('fitting');
  const fitOf = (step: Step) => {
    const [one, few, many, most] = measured.map((each) => each[step]);
    if (!one || !few || !many || !most) throw new Error('nothing was measured');
    return fit(step, { one, few, many, most }, availableParallelism());
  };
  return { create: fitOf('create'), burn: fitOf('burn') };
}

interface DrawnLoad {
  callers: number;
  step: Step;
}

/** Loads that the network was not fitted to. */
function drawLoads(seed: number): DrawnLoad[] {
  const random = randomFrom(seed);
  return Array.from({ length: DRAWN }, (_, index) => ({
    callers: Math.round(2 * 2 ** (random() * 6.5)),
    step: STEPS[index % STEPS.length] ?? 'create',
  }));
}

function runOf({ network, path }: Fitted, callers: number): Simulated {
  return simulate(network, { callers, requests: REQUESTS, pathOf: () => path }, randomFrom(1));
}

function reportLoads(
  title: string,
  loads: readonly DrawnLoad[],
  measured: readonly Measurements[],
  networks: Record<Step, Fitted>,
) {
  table(
    `${title}: measured, predicted, and predicted divided by measured (wanted within 15 %, 20 %, and 1.5 times)`,
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'predicted', 'p50', 'p99', 'rate', 'p50', 'p99'],
    loads.map(({ callers, step }, index) => {
      const actual = measured[index]?.[step] as Measurement;
      const predicted = runOf(networks[step], callers);
      const ratios = (['perSecond', 'p50', 'p99'] as const).map((name) =>
        (predicted[name] / actual[name]).toFixed(2),
      );
      return [`${step}, ${callers} callers`, ...cells(actual), ...cells(predicted), ...ratios];
    }),
  );
}

function cells({ perSecond, p50, p99 }: Pick<Simulated, 'perSecond' | 'p50' | 'p99'>) {
  return [perSecond.toFixed(0), p50.toFixed(2), p99.toFixed(2)];
}

removeStacksOnSignals();
await main(process.argv.slice(2));
