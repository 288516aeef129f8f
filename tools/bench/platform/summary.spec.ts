import { describe, expect, it } from '@jest/globals';
import { byGroup } from './process-groups.ts';
import { spreadOf, summaryOf, walOfBoth } from './summary.ts';
import { targetsOf } from './targets.ts';

const figures = (perSecond: number, p50: number, cpu: number) => ({
  perSecond,
  p50,
  p99: 2 * p50,
  errors: 1,
  cpu: { gateway: cpu, all: cpu },
  wal: { replied: cpu, applied: 2 * cpu },
});

/** Three rounds on a machine that becomes slower: the rates halve, the ratios stay close. */
const rounds = [
  { concurrency: 32, create: { ours: figures(900, 10, 500), bare: figures(1000, 10, 400) } },
  { concurrency: 32, create: { ours: figures(480, 24, 700), bare: figures(600, 20, 500) } },
  { concurrency: 32, create: { ours: figures(500, 22, 600), bare: figures(500, 20, 600) } },
  { concurrency: 128, create: { ours: figures(1, 1, 1), bare: figures(1, 1, 1) } },
];

describe('The summary of a concurrency', () => {
  const summary = summaryOf(rounds, 32, 'create');

  it('pairs the ratios by round', () => {
    expect(summary.rate).toEqual({ low: 0.8, middle: 0.9, high: 1 });
    expect(summary.p50).toEqual({ low: 1, middle: 1.1, high: 1.2 });
    expect(summary.tail).toEqual({ low: 2, middle: 2, high: 2 });
  });

  it('has the medians of each side and the errors of all rounds', () => {
    expect(summary.ours).toMatchObject({ perSecond: { middle: 500 }, errors: 3, cpu: { all: 600 } });
    expect(summary.bare).toMatchObject({ perSecond: { middle: 600 }, cpu: { gateway: 500 } });
  });

  it('adds the bytes of log of create and burn within a round', () => {
    expect(walOfBoth(summary.ours, summary.bare, 'replied')).toEqual(spreadOf([900, 1200, 1200]));
    expect(walOfBoth(summary.ours, summary.bare, 'applied').high).toBe(2400);
  });
});

describe('Processor time by group', () => {
  it('has the same groups for both pipelines, and loses no process', () => {
    expect(byGroup({ gateway: 1, sparks: 2, postgres: 3, auth: 4, kms: 5 })).toMatchObject({
      gateway: 1,
      sparks: 2,
      PostgreSQL: 3,
      'other services': 9,
      all: 15,
    });
    expect(byGroup({ 'bare gateway': 1, 'bare sparks': 2 })).toMatchObject({ gateway: 1, sparks: 2, all: 3 });
  });
});

describe('The targets', () => {
  const both = rounds.map((round) => ({ ...round, burn: round.create }));
  const all = [1, 32, 128].flatMap((concurrency) =>
    both.slice(0, 3).map((round) => ({ ...round, concurrency })),
  );
  const targets = targetsOf((concurrency, step) => summaryOf(all, concurrency, step), { all: 3.5 });
  const isReached = (name: string) => targets.find((target) => target.name === name)?.isReached;

  it('are reached at their bound, and missed beyond it', () => {
    expect(isReached('idle, % of one core')).toBe(true);
    expect(isReached('create at 32, processor µs')).toBe(false); // 600 of 550
    expect(isReached('create at 32, p99 / p50')).toBe(true); // 2, below 3
  });

  it('compare the median of the rounds', () => {
    expect(isReached('create at 32, of bare')).toBe(true);
    expect(isReached('burn at 32, of bare')).toBe(false);
    expect(isReached('create at 1, p50 of bare')).toBe(true);
  });
});
