import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { defaultPlans } from '../../settings/plan-table.js';
import type { Plan } from '../../pool/plans.js';
import { itemsOf, priceOf, type Configuration } from './configuration.js';
import { PERIOD_SECONDS, type SubscriptionState } from './subscription-state.js';
import {
  quoteAdjustment,
  quotePastDue,
  quoteRecovery,
  quoteRenewal,
  quoteStart,
  quoteStorePurchase,
} from './quote.js';
import type { Quote } from './settle.js';

const START = 1_790_000_000;

const plans = new Map<string, Plan>(
  [...defaultPlans].map(([name, { limits, ...rest }]) => [
    name,
    { ...rest, ...(limits ?? { storageBytes: 10, bandwidthBytes: 10, identitySeats: 5 }) },
  ]),
);
/** A price that no number of seconds divides evenly. */
const odd = plans.get('team') as Plan;
plans.set('odd', { ...odd, prices: { plan: 1_009, seat: 7, storageBlock: 333, bandwidthBlock: 101 } });

const planNamed = (name: string): Plan => {
  const plan = plans.get(name);
  if (!plan) throw new Error(`no plan ${name}`);
  return plan;
};

const terms = { planNamed, minimumDue: 1 };

const free: SubscriptionState = {
  status: 'active',
  store: null,
  plan: 'default',
  seats: 0,
  storageBlocks: 0,
  bandwidthBlocks: 0,
  periodStart: START,
  periodEnd: START + PERIOD_SECONDS,
  billed: [],
  cancelAtPeriodEnd: false,
  creditBalance: 0,
  roundingCarry: 0,
  version: 1,
  changedAt: START,
};
/** The state after a whole period was charged. */
const charged = (state: SubscriptionState) => ({ ...state, billed: itemsOf(state, planNamed) });
const team = charged({ ...free, plan: 'team' });
const sumOf = ({ lines }: Quote) => lines.reduce((sum, { amount }) => sum + amount, 0);

describe('OPEN-31: an adjustment', () => {
  it('in the middle of a period costs half the difference', () => {
    const quote = quoteAdjustment(team, terms, { plan: 'business' }, START + PERIOD_SECONDS / 2);
    expect(quote).toMatchObject({ total: 7_500, creditApplied: 0, amountDue: 7_500 });
    expect(quote.lines).toEqual([
      expect.objectContaining({ item: 'plan', plan: 'team', amount: -2_450, isProration: true }),
      expect.objectContaining({ item: 'plan', plan: 'business', amount: 9_950, isProration: true }),
    ]);
    expect(quote.next).toMatchObject({ plan: 'business', version: 2, periodEnd: team.periodEnd });
  });

  it('has no line for what stays as it is, and no invoice when nothing changes', () => {
    const withSeats = charged({ ...team, seats: 3 });
    const quote = quoteAdjustment(withSeats, terms, { storageBlocks: 1 }, START);
    expect(quote.lines.map(({ item }) => item)).toEqual(['storage_block']);
    expect(quoteAdjustment(withSeats, terms, { seats: 3 }, START)).toMatchObject({ lines: [], total: 0 });
  });

  it('credits the prices that were charged, and leaves those of other items as they are', () => {
    const old = {
      ...team,
      seats: 2,
      billed: [
        { item: 'plan', plan: 'team', quantity: 1, unitAmount: 2_000 },
        { item: 'seat', plan: 'team', quantity: 2, unitAmount: 100 },
      ],
    } as const;
    const more = quoteAdjustment(old, terms, { storageBlocks: 1 }, START);
    expect(more.lines).toMatchObject([{ item: 'storage_block', amount: 800 }]);
    const up = quoteAdjustment(more.next, terms, { plan: 'business' }, START);
    expect(up.lines.map(({ item, amount }) => [item, amount])).toEqual([
      ['plan', -2_000],
      ['seat', -200],
      ['storage_block', -800],
      ['plan', 19_900],
      ['seat', 600],
      ['storage_block', 600],
    ]);
    expect(quoteRenewal(more.next, terms)).toMatchObject({ total: 4_900 + 800 + 800 });
  });

  it('costs nothing once the period is over: the renewal charges the new content', () => {
    const quote = quoteAdjustment(team, terms, { plan: 'business' }, team.periodEnd + 60);
    expect(quote).toMatchObject({ lines: [], total: 0, next: { plan: 'business' } });
    expect(quoteRenewal(quote.next, terms)).toMatchObject({ total: 19_900 });
  });

  it('to less adds to the credit, which later invoices use up', () => {
    const down = quoteAdjustment(charged({ ...team, seats: 10 }), terms, { seats: 0 }, START);
    expect(down).toMatchObject({ total: -4_000, amountDue: 0, next: { creditBalance: 4_000 } });
    const up = quoteAdjustment(down.next, terms, { storageBlocks: 6 }, START);
    expect(up).toMatchObject({
      total: 4_800,
      creditApplied: 4_000,
      amountDue: 800,
      next: { creditBalance: 0 },
    });
  });
});

describe('OPEN-31: an amount that is too small to collect', () => {
  const least = { ...terms, minimumDue: 50 };
  const almostOver = team.periodEnd - 60;

  it('is not due, and makes the balance negative, until the next invoice adds it', () => {
    const small = quoteAdjustment(team, least, { plan: 'business' }, almostOver);
    expect(small).toMatchObject({ total: 0, lines: [] }); // 0.35 of a unit, carried
    const seats = quoteAdjustment(team, least, { seats: 1_000 }, almostOver);
    expect(seats).toMatchObject({ total: 9, creditApplied: 9, amountDue: 0, next: { creditBalance: -9 } });
    const renewal = quoteRenewal(
      quoteAdjustment(seats.next, least, { seats: 0 }, team.periodEnd).next,
      least,
    );
    expect(renewal).toMatchObject({
      total: 4_900,
      creditApplied: -9,
      amountDue: 4_909,
      next: { creditBalance: 0 },
    });
  });

  it('is what a credit leaves of a larger one, too', () => {
    const rich = { ...free, creditBalance: 4_880 };
    const quote = quoteStart(
      rich,
      least,
      { plan: 'team', seats: 0, storageBlocks: 0, bandwidthBlocks: 0 },
      START,
    );
    expect(quote).toMatchObject({
      total: 4_900,
      creditApplied: 4_900,
      amountDue: 0,
      next: { creditBalance: -20 },
    });
  });
});

describe('OPEN-31: another change of a subscription', () => {
  it('that starts anew credits what is left and charges a whole period', () => {
    const half = START + PERIOD_SECONDS / 2;
    const configuration = { plan: 'business', seats: 0, storageBlocks: 0, bandwidthBlocks: 0 };
    const quote = quoteStart(team, terms, configuration, half);
    expect(quote).toMatchObject({
      reason: 'subscription_create',
      total: 19_900 - 2_450,
      next: { periodStart: half },
    });
    expect(quote.lines.map(({ isProration }) => isProration)).toEqual([true, false]);
  });

  it('that starts after the end of another one credits nothing', () => {
    const ended = { ...team, status: 'canceled' as const };
    const { plan, seats, storageBlocks, bandwidthBlocks } = team;
    const quote = quoteStart(ended, terms, { plan, seats, storageBlocks, bandwidthBlocks }, START + 9);
    expect(quote).toMatchObject({ total: 4_900, next: { status: 'active' } });
  });

  it('that renews charges the next period, or ends what was to end', () => {
    const renewal = quoteRenewal(charged({ ...team, seats: 2 }), terms);
    expect(renewal).toMatchObject({
      reason: 'subscription_cycle',
      total: 5_700,
      next: { periodStart: team.periodEnd },
    });
    expect(renewal.lines.every(({ isProration }) => !isProration)).toBe(true);
    const ending = { ...team, cancelAtPeriodEnd: true };
    expect(quoteRenewal(ending, terms)).toMatchObject({
      reason: 'subscription_cycle',
      lines: [],
      next: { status: 'canceled', billed: [] },
    });
  });

  it('by a purchase in a store credits what was paid here, and its end charges nothing', () => {
    const purchase = { store: 'apple', plan: 'business', expiresAt: START + 86_400 } as const;
    const bought = quoteStorePurchase(team, terms, purchase, START);
    expect(bought).toMatchObject({
      reason: 'subscription_update',
      total: -4_900,
      next: {
        store: 'apple',
        plan: 'business',
        seats: 0,
        periodStart: START,
        periodEnd: START + 86_400,
        billed: [],
        creditBalance: 4_900,
      },
    });
    expect(quoteRenewal(bought.next, terms)).toMatchObject({ total: 0, next: { status: 'canceled' } });
  });

  it('by the same purchase again goes on with its period, and by another one begins a new one', () => {
    const first = { store: 'apple', plan: 'business', expiresAt: START + 86_400 } as const;
    const { next } = quoteStorePurchase({ ...team, seats: 2 }, terms, first, START);
    expect(next.seats).toBe(0);
    const later = { ...first, expiresAt: START + 172_800 };
    const starts = [later, { ...later, store: 'google' as const }, { ...later, plan: 'team' }].map(
      (purchase) => quoteStorePurchase(next, terms, purchase, START + 60).next.periodStart,
    );
    expect(starts).toEqual([START, START + 60, START + 60]);
  });

  it('to past due and back charges nothing within the period, and a new period after it', () => {
    const stopped = quotePastDue(team, terms, START + 60);
    const reason = 'subscription_update';
    expect(stopped).toMatchObject({ reason, total: 0, next: { status: 'past_due' } });
    const within = quoteRecovery(stopped.next, terms, START + 120);
    expect(within).toMatchObject({
      reason,
      total: 0,
      next: { status: 'active', periodEnd: team.periodEnd },
    });
    expect(quoteRecovery(stopped.next, terms, team.periodEnd).total).toBe(4_900);
    const after = quoteRecovery(stopped.next, terms, team.periodEnd + 5);
    expect(after).toMatchObject({
      total: 4_900,
      next: { status: 'active', periodStart: team.periodEnd + 5 },
    });
  });
});

const configuration = fc.record({
  plan: fc.constantFrom('default', 'team', 'business', 'odd'),
  seats: fc.integer({ min: 0, max: 10_000 }),
  storageBlocks: fc.integer({ min: 0, max: 1_000 }),
  bandwidthBlocks: fc.integer({ min: 0, max: 1_000 }),
});
/** Changes at ascending instants of a period. */
const changes = fc.array(
  fc.record({
    to: configuration,
    after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400_000 })),
  }),
  { maxLength: 12 },
);
const RUNS = 10_000;
const MINIMUM = 50;
const collected = { ...terms, minimumDue: MINIMUM };

/** The exact price of holding a configuration for some seconds, in minor units / PERIOD_SECONDS. */
const exactly = (held: Configuration, seconds: number) => BigInt(priceOf(held, planNamed)) * BigInt(seconds);

describe('OPEN-31: any sequence of changes', () => {
  it('adds up: lines to totals, totals to what is due and credited, and all of them to the exact price of the period', () => {
    fc.assert(
      fc.property(configuration, changes, (first, steps) => {
        const started = quoteStart(free, collected, first, START);
        let [state, billed, now] = [started.next, started.total, START];
        let exact = 0n;
        let areSums = true;
        for (const { to, after } of steps) {
          const at = Math.min(now + after, state.periodEnd);
          exact += exactly(state, at - now);
          const quote = quoteAdjustment(state, collected, to, at);
          areSums &&= sumOf(quote) === quote.total;
          areSums &&= quote.amountDue === 0 || quote.amountDue >= MINIMUM;
          areSums &&= quote.amountDue - quote.total === quote.next.creditBalance - state.creditBalance;
          [state, billed, now] = [quote.next, billed + quote.total, at];
        }
        exact += exactly(state, state.periodEnd - now);
        const difference = BigInt(billed) * BigInt(PERIOD_SECONDS) - exact;
        const isCarried = difference === -BigInt(state.roundingCarry);
        return areSums && isCarried && Math.abs(state.roundingCarry) * 2 <= PERIOD_SECONDS;
      }),
      { seed: 31, numRuns: RUNS },
    );
  });

  it('nets to 0 when it is undone at the same instant', () => {
    fc.assert(
      fc.property(
        configuration,
        configuration,
        fc.nat(PERIOD_SECONDS),
        fc.nat(PERIOD_SECONDS - 2),
        (a, b, t, carry) => {
          const state = charged({ ...free, ...a, roundingCarry: carry - PERIOD_SECONDS / 2 });
          const up = quoteAdjustment(state, terms, b, START + t);
          const down = quoteAdjustment(up.next, terms, a, START + t);
          const isUndone = priceOf(down.next, planNamed) === priceOf(state, planNamed);
          return up.total + down.total === 0 && down.next.roundingCarry === state.roundingCarry && isUndone;
        },
      ),
      { seed: 31, numRuns: RUNS },
    );
  });
});
