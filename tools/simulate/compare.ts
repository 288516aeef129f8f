// Measures loads, fits the networks to some of them, and compares what these predict for the others.
import { availableParallelism } from 'node:os';
import pg from 'pg';
import { say, table } from '../bench/report.ts';
import { STEPS, type Step } from '../bench/platform/rounds.ts';
import { withTemporaryStack } from '../stack/temporary-stack.ts';
import { randomFrom } from '../test/random.ts';
import { measureCosts, type Measurements } from './costs.ts';
import { fit, type Fitted } from './fit.ts';
import { cells, predictionOf } from './predict.ts';
import type { Load } from './slice.ts';

/** The callers of the loads that the networks are fitted to. */
const FITTED = { one: 1, many: 32, most: 128 };
/** Requests in one round: about half a second. */
const COUNT = { ofCaller: 24, least: 150, most: 1_500 };
const DRAWN = 6;

interface DrawnLoad {
  readonly callers: number;
  readonly step: Step;
}

/** @returns the fitted networks */
export async function compare(seed: number, rounds: number): Promise<Record<Step, Fitted>> {
  const drawn = drawLoads(seed);
  const callers = [...Object.values(FITTED), ...drawn.map((load) => load.callers)];
  const measured = await measureAll(callers.map(loadOf), rounds);
  say('fitting');
  const networks = { create: fitOf('create', measured), burn: fitOf('burn', measured) };
  const fitted = measured.slice(0, Object.keys(FITTED).length);
  for (const step of STEPS) {
    const loads = Object.values(FITTED).map((count) => ({ callers: count, step }));
    report(`Fitted, ${step}`, loads, fitted, networks);
  }
  report('Drawn, and not fitted', drawn, measured.slice(fitted.length), networks);
  return networks;
}

function measureAll(loads: readonly Load[], rounds: number): Promise<Measurements[]> {
  return withTemporaryStack(async (stack) => {
    const database = new pg.Client({ connectionString: stack.postgres_url });
    await database.connect();
    try {
      return await measureCosts(stack, database, loads, rounds);
    } finally {
      await database.end();
    }
  });
}

function loadOf(callers: number): Load {
  return { callers, count: Math.max(COUNT.least, Math.min(COUNT.most, callers * COUNT.ofCaller)) };
}

/** @param measured begins with the loads of `FITTED` */
function fitOf(step: Step, measured: readonly Measurements[]): Fitted {
  const [one, many, most] = measured.map((each) => each[step]);
  if (!one || !many || !most) throw new Error('nothing was measured');
  return fit(step, { one, many, most }, availableParallelism());
}

/** Two to 181 callers. */
function drawLoads(seed: number): DrawnLoad[] {
  const random = randomFrom(seed);
  return Array.from({ length: DRAWN }, (_, index) => ({
    callers: Math.round(2 * 2 ** (random() * 6.5)),
    step: STEPS[index % STEPS.length] ?? 'create',
  }));
}

function report(
  title: string,
  loads: readonly DrawnLoad[],
  measured: readonly Measurements[],
  networks: Record<Step, Fitted>,
): void {
  table(
    `${title}: measured, predicted, and predicted divided by measured (wanted within 15 %, 20 %, and 1.5 times)`,
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'predicted', 'p50', 'p99', 'rate', 'p50', 'p99'],
    loads.map(({ callers, step }, index) => {
      const actual = (measured[index] as Measurements)[step];
      const predicted = predictionOf(networks[step], callers);
      const ratios = (['perSecond', 'p50', 'p99'] as const).map((name) =>
        (predicted[name] / actual[name]).toFixed(2),
      );
      return [`${step}, ${callers} callers`, ...cells(actual), ...cells(predicted), ...ratios];
    }),
  );
}
