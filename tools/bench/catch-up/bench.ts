// How fast reporting applies the events of its downtime, and what live calls notice of that.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startTemporaryStack, type TemporaryStack } from '../../stack/temporary-stack.ts';
import { load, openLoad, type Measured, type OpenLoad } from '../load.ts';
import { median, say, table } from '../report.ts';
import { stopReporting } from './outage.ts';
import { openProgress, type Progress } from './progress.ts';
import { openTraffic, type Traffic } from './traffic.ts';

const CALLERS = 32;
const WARM_UP_CALLS = 2_000;
/** The events of session and account of a new account arrive meanwhile. */
const SETTLE_MS = 3_000;
const LIVE_SECONDS = 15;
const SLICE_SECONDS = 5;
const EVENTS_PER_CALL = 2;

/** `npm run bench -- catch-up`. `args`: the arguments after the name. */
export async function benchCatchUp(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '60000' },
      rate: { type: 'string', default: '50' },
      accounts: { type: 'string', default: '8' },
    },
  });
  const options = {
    events: Number(values.events),
    rate: Number(values.rate),
    accounts: Number(values.accounts),
  };
  const stack = await startTemporaryStack();
  try {
    report(await measure(stack, options), options);
  } finally {
    await stack.stop();
  }
}

interface Options {
  events: number;
  rate: number;
  accounts: number;
}

interface Results {
  before: OpenLoad;
  made: Measured<void>;
  caughtUp: CatchUp;
  after: OpenLoad;
}

async function measure(stack: TemporaryStack, { events, rate, accounts }: Options): Promise<Results> {
  const traffic = await openTraffic(stack.descriptor(), accounts);
  await delay(SETTLE_MS);
  const progress = await openProgress(stack.descriptor(), traffic.events);
  const live = (seconds: number) => openLoad({ perSecond: rate, seconds, task: traffic.call });
  try {
    say('warming up');
    await load({ count: WARM_UP_CALLS, concurrency: CALLERS, task: traffic.call });
    await progress.left(0);
    say(`live calls alone for ${LIVE_SECONDS} s`);
    const before = await live(LIVE_SECONDS);
    await progress.left(0);
    say(`${events} events while reporting is stopped`);
    const startReporting = await stopReporting(stack);
    const made = await load({ count: events / EVENTS_PER_CALL, concurrency: CALLERS, task: traffic.call });
    await progress.allSent();
    say('reporting starts again');
    startReporting();
    const caughtUp = await catchUp({ traffic, progress, live, rate });
    say(`live calls afterwards for ${LIVE_SECONDS} s`);
    return { before, made, caughtUp, after: await live(LIVE_SECONDS) };
  } finally {
    traffic.close();
    await progress.close();
  }
}

interface CatchUp {
  /** Events of the downtime. */
  backlog: number;
  /** Seconds until the first event was applied, and until reporting had caught up. */
  first: number;
  seconds: number;
  perSecond: number;
  /** Of the live calls meanwhile. */
  slices: OpenLoad[];
}

/** Makes live calls until reporting is less than a second behind them, and measures what it applies meanwhile. */
async function catchUp({
  traffic,
  progress,
  live,
  rate,
}: {
  traffic: Traffic;
  progress: Progress;
  live: (seconds: number) => Promise<OpenLoad>;
  rate: number;
}): Promise<CatchUp> {
  const startedAt = performance.now();
  const secondsSince = () => (performance.now() - startedAt) / 1_000;
  const applied = await progress.applied();
  const backlog = traffic.events() - applied;
  let first: number | undefined;
  let isCaughtUp = false;
  const caughtUp = progress
    .left(rate * EVENTS_PER_CALL, (now) => {
      if (now > applied) first ??= secondsSince();
    })
    .then(secondsSince)
    .finally(() => (isCaughtUp = true));
  const slices: OpenLoad[] = [];
  do slices.push(await live(SLICE_SECONDS));
  while (!isCaughtUp);
  const seconds = await caughtUp;
  first ??= seconds;
  const total = backlog + seconds * rate * EVENTS_PER_CALL;
  return { backlog, first, seconds, perSecond: total / (seconds - first), slices };
}

function report({ before, made, caughtUp, after }: Results, { rate, accounts }: Options) {
  const liveEvents = rate * EVENTS_PER_CALL;
  const { backlog, first, seconds, perSecond, slices } = caughtUp;
  const anHour = (3_600 * liveEvents) / (perSecond - liveEvents) / 60;
  table(
    `Events of ${accounts} accounts while reporting is down, and after its start`,
    ['', ''],
    [
      ['events of the downtime', backlog],
      ['caused at, events/s', (EVENTS_PER_CALL * made.perSecond).toFixed(0)],
      ['first event applied after, s', first.toFixed(1)],
      ['caught up after, s', seconds.toFixed(1)],
      ['applied, events/s', perSecond.toFixed(0)],
      ['live events/s meanwhile', liveEvents],
      ['applied / live', (perSecond / liveEvents).toFixed(1)],
      ['applied / caused at full load', (perSecond / (EVENTS_PER_CALL * made.perSecond)).toFixed(2)],
      ['an hour of such live events would take, min', anHour.toFixed(1)],
    ],
  );
  const of = (key: 'p50' | 'p99' | 'max' | 'errors') => slices.map((slice) => slice[key]);
  const during = {
    p50: median(of('p50')),
    p99: median(of('p99')),
    max: Math.max(...of('max')),
    errors: of('errors').reduce((sum, errors) => sum + errors, 0),
  };
  const cells = ({ p50, p99, max, errors }: Pick<OpenLoad, 'p50' | 'p99' | 'max' | 'errors'>) => [
    p50.toFixed(1),
    p99.toFixed(1),
    max.toFixed(1),
    errors,
  ];
  table(
    `${rate} live calls/s, each of which creates and burns a Spark`,
    ['', 'p50 ms', 'p99 ms', 'max ms', 'errors'],
    [
      ['before', ...cells(before)],
      ['while reporting catches up', ...cells(during)],
      ['afterwards', ...cells(after)],
    ],
  );
}
