// The figures of a concurrency and a step over all rounds, and their ratios, paired by round.
import { median } from '../report.ts';
import type { GroupFigures } from './process-groups.ts';
import type { LoadFigures, Sides, Step } from './rounds.ts';

/** The least, the median and the greatest figure of the rounds. */
export interface Spread {
  low: number;
  middle: number;
  high: number;
}

export type Summary = ReturnType<typeof summaryOf>;

export function spreadOf(numbers: readonly number[]): Spread {
  return { low: Math.min(...numbers), middle: median(numbers), high: Math.max(...numbers) };
}

/** @param records of `measureRounds` */
export function summaryOf(
  records: readonly ({ concurrency: number } & Partial<Record<Step, Sides<LoadFigures>>>)[],
  concurrency: number,
  step: Step,
) {
  const rounds = records
    .filter((record) => record.concurrency === concurrency)
    .flatMap((record) => record[step] ?? []);
  const over = (figure: (round: Sides<LoadFigures>) => number) => spreadOf(rounds.map(figure));
  const side = (name: keyof Sides<unknown>) => ({
    perSecond: over((round) => round[name].perSecond),
    p50: over((round) => round[name].p50),
    p99: over((round) => round[name].p99),
    errors: rounds.reduce((all, round) => all + round[name].errors, 0),
    cpu: mediansOf(rounds.map((round) => round[name].cpu)),
    wal: rounds.map((round) => round[name].wal),
  });
  return {
    ours: side('ours'),
    bare: side('bare'),
    rate: over(({ ours, bare }) => ours.perSecond / bare.perSecond),
    p50: over(({ ours, bare }) => ours.p50 / bare.p50),
    cpu: over(({ ours, bare }) => ours.cpu.all / bare.cpu.all),
    tail: over(({ ours }) => ours.p99 / ours.p50),
  };
}

/**
 * Bytes of log per Spark that is created and burned.
 * @param burn of the same rounds
 * @param until the last reply, or until its events are applied as well
 */
export function walOfBoth(
  create: { wal: { replied: number; applied: number }[] },
  burn: { wal: { replied: number; applied: number }[] },
  until: 'replied' | 'applied',
) {
  return spreadOf(create.wal.map((wal, round) => wal[until] + (burn.wal[round]?.[until] ?? Number.NaN)));
}

/** The median by key. */
function mediansOf(all: readonly GroupFigures[]): GroupFigures {
  const of = (key: string) => median(all.map((one) => one[key] ?? Number.NaN));
  return { ...Object.fromEntries(Object.keys(all[0] ?? {}).map((key) => [key, of(key)])), all: of('all') };
}
