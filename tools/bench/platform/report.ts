// The results of the platform benchmark as tables.
import { table } from '../report.ts';
import { figures, type Figures } from '../rows.ts';
import type { Stage } from './hops.ts';
import { GROUPS, type GroupFigures } from './process-groups.ts';
import { CONCURRENCIES, STEPS, type Round, type Sides, type Step } from './rounds.ts';
import { spreadOf, summaryOf, walOfBoth, type Spread, type Summary } from './summary.ts';
import { targetsOf, type SummaryOf } from './targets.ts';

const LOADS = CONCURRENCIES.flatMap((concurrency) => STEPS.map((step) => ({ concurrency, step })));
const LOADED = LOADS.filter(({ concurrency }) => concurrency > 1);

type Limits = Record<'http' | 'nats' | 'pgInsert' | 'pgBurn', Figures>;

export function reportPlatform({
  records,
  big,
  limits,
  idle,
}: {
  records: Round[];
  big: Sides<Record<Step, Figures>>;
  limits: Limits;
  idle: GroupFigures;
}) {
  const of: SummaryOf = (concurrency, step) => summaryOf(records, concurrency, step);
  reportLoads(of);
  reportRatios(of, big);
  reportLimits(of, limits);
  reportStages(records);
  reportProcessorTime(of);
  reportWal(of);
  reportIdle(idle);
  reportTargets(of, idle);
}

function reportLoads(of: SummaryOf) {
  const row = (name: string, side: Summary['ours']) => [
    name,
    side.perSecond.middle.toFixed(0),
    side.p50.middle.toFixed(2),
    side.p99.middle.toFixed(2),
    side.errors,
  ];
  table(
    '1 KB Sparks, median of the rounds',
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'errors'],
    LOADS.flatMap(({ concurrency, step }) => [
      row(`${step}, ${callers(concurrency)}`, of(concurrency, step).ours),
      row('  bare pipeline', of(concurrency, step).bare),
    ]),
  );
}

/** Ratios are taken within a round, where both sides meet the same machine. */
function reportRatios(of: SummaryOf, big: Sides<Record<Step, Figures>>) {
  table(
    'vaultsvc divided by the bare pipeline, median (min..max) of the rounds',
    ['', 'requests/s', 'p50', 'processor time', 'p99 / p50 of vaultsvc'],
    LOADS.map(({ concurrency, step }) => {
      const { rate, p50, cpu, tail } = of(concurrency, step);
      return [`${step}, ${callers(concurrency)}`, ...[rate, p50, cpu, tail].map((one) => spread(one))];
    }),
  );
  table(
    '256 KB Sparks, 8 callers',
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'errors', 'of bare'],
    STEPS.flatMap((step) => [
      [step, ...figures(big.ours[step]), (big.ours[step].perSecond / big.bare[step].perSecond).toFixed(2)],
      ['  bare pipeline', ...figures(big.bare[step]), ''],
    ]),
  );
}

function reportLimits(of: SummaryOf, limits: Limits) {
  const share = (step: Step, limit: Figures) =>
    (of(32, step).ours.perSecond.middle / limit.perSecond).toFixed(2);
  const row = (name: string, limit: Figures, create: string, burn: string) => [
    name,
    ...figures(limit),
    create,
    burn,
  ];
  const both = (name: string, limit: Figures) =>
    row(name, limit, share('create', limit), share('burn', limit));
  table(
    'Limits of this machine, 32 callers, and the share of them that vaultsvc reaches',
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'errors', 'create', 'burn'],
    [
      both('bare Node HTTP answer', limits.http),
      both('bare NATS round trip', limits.nats),
      row('bare PostgreSQL insert', limits.pgInsert, share('create', limits.pgInsert), ''),
      row('bare PostgreSQL burn', limits.pgBurn, '', share('burn', limits.pgBurn)),
    ],
  );
}

function reportStages(records: Round[]) {
  const last = records.findLast(({ create }) => create.ours.hops);
  const burn = last?.burn.ours.hops ?? [];
  const cells = ({ ms, share }: Stage) => [ms.toFixed(2), `${(share * 100).toFixed(0)} %`];
  table(
    'Time by stage, 32 callers, last round',
    ['', 'create ms', 'share', 'burn ms', 'share'],
    (last?.create.ours.hops ?? []).map((hop, i) => [
      hop.leg,
      ...cells(hop),
      ...burn.slice(i, i + 1).flatMap(cells),
    ]),
  );
}

function reportProcessorTime(of: SummaryOf) {
  table(
    'Processor time per request in µs, median of the rounds: vaultsvc / bare pipeline',
    ['', ...LOADED.map(({ concurrency, step }) => `${step}, ${concurrency}`)],
    [...GROUPS, 'all'].map((group) => [
      group,
      ...LOADED.map(({ concurrency, step }) => {
        const { ours, bare } = of(concurrency, step);
        return `${ours.cpu[group]?.toFixed(0)} / ${bare.cpu[group]?.toFixed(0)}`;
      }),
    ]),
  );
}

function reportWal(of: SummaryOf) {
  const until = ['replied', 'applied'] as const;
  type Moment = (typeof until)[number];
  const cells = (of: (moment: Moment) => Spread) => until.map((moment) => spread(of(moment), 0));
  const rows = (concurrency: number, side: keyof Sides<unknown>) => {
    const create = of(concurrency, 'create')[side];
    const burn = of(concurrency, 'burn')[side];
    const alone = (one: Summary['ours']) => (moment: Moment) => spreadOf(one.wal.map((wal) => wal[moment]));
    const name = side === 'ours' ? '' : 'bare pipeline ';
    return [
      [`${name}create, ${callers(concurrency)}`, ...cells(alone(create))],
      [`${name}burn, ${callers(concurrency)}`, ...cells(alone(burn))],
      [`${name}create and burn, ${callers(concurrency)}`, ...cells((m) => walOfBoth(create, burn, m))],
    ];
  };
  table(
    'Bytes of write-ahead log per request, median (min..max) of the rounds',
    ['', 'until the last reply', 'events applied'],
    [32, 128].flatMap((concurrency) =>
      (['ours', 'bare'] as const).flatMap((side) => rows(concurrency, side)),
    ),
  );
}

function reportIdle(idle: GroupFigures) {
  table(
    'Processor time without requests',
    ['', '% of one core'],
    Object.entries(idle).map(([name, percent]) => [name, percent.toFixed(2)]),
  );
}

function reportTargets(of: SummaryOf, idle: GroupFigures) {
  table(
    'Targets',
    ['', 'target', 'measured', ''],
    targetsOf(of, idle).map(({ name, target, measured, isReached }) => [
      name,
      target,
      measured,
      isReached ? 'reached' : 'missed',
    ]),
  );
}

function callers(concurrency: number) {
  return concurrency === 1 ? '1 caller' : `${concurrency} callers`;
}

function spread({ low, middle, high }: Spread, digits = 2) {
  return `${middle.toFixed(digits)} (${low.toFixed(digits)}..${high.toFixed(digits)})`;
}
