// The targets of create and burn, as ratios to the bare pipeline or as limits.
import type { Step } from './rounds.ts';
import { walOfBoth, type Summary } from './summary.ts';

interface Comparison {
  sign: string;
  holds: (measured: number, bound: number) => boolean;
}

const AT_LEAST: Comparison = { sign: '>=', holds: (measured, bound) => measured >= bound };
const AT_MOST: Comparison = { sign: '<=', holds: (measured, bound) => measured <= bound };
const BELOW: Comparison = { sign: '<', holds: (measured, bound) => measured < bound };

export interface Target {
  name: string;
  target: string;
  measured: string;
  isReached: boolean;
}

/** The summary of a concurrency and a step. */
export type SummaryOf = (concurrency: number, step: Step) => Summary;

export function targetsOf(of: SummaryOf, idle: { all: number }): Target[] {
  const each = (make: (step: Step) => Target) => [make('create'), make('burn')];
  return [
    target('create at 32, of bare', AT_LEAST, 0.85, of(32, 'create').rate.middle),
    target('burn at 32, of bare', AT_LEAST, 1, of(32, 'burn').rate.middle),
    target('create at 128, of bare', AT_LEAST, 1.05, of(128, 'create').rate.middle),
    target('burn at 128, of bare', AT_LEAST, 1.15, of(128, 'burn').rate.middle),
    ...each((step) => target(`${step} at 32, p99 / p50`, BELOW, 3, of(32, step).tail.middle)),
    target('create at 1, p50 of bare', AT_MOST, 1.4, of(1, 'create').p50.middle),
    target('burn at 1, p50 of bare', AT_MOST, 1.5, of(1, 'burn').p50.middle),
    target('create at 32, processor µs', AT_MOST, 550, of(32, 'create').ours.cpu.all, 0),
    target('burn at 32, processor µs', AT_MOST, 520, of(32, 'burn').ours.cpu.all, 0),
    ...each((step) => target(`${step} at 128, processor of bare`, AT_MOST, 1, of(128, step).cpu.middle)),
    target('create and burn at 32, bytes of WAL', AT_MOST, 3_500, walAt32(of), 0),
    target('idle, % of one core', AT_MOST, 3.5, idle.all, 1),
  ];
}

function walAt32(of: SummaryOf) {
  return walOfBoth(of(32, 'create').ours, of(32, 'burn').ours, 'applied').middle;
}

function target(
  name: string,
  { sign, holds }: Comparison,
  bound: number,
  measured: number,
  digits = 2,
): Target {
  const isReached = holds(measured, bound);
  return { name, target: `${sign} ${bound}`, measured: measured.toFixed(digits), isReached };
}
