import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConnectionClosed } from '@vaultsvc/http';
import { FairSemaphore, type FairLimits, SemaphoreFull } from './fair-semaphore.js';
import type { Permit } from './permit.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const LIMITS = { max: 8, accountMax: 7, accountShare: 2, waitMs: 10_000 };
const seconds = (count: number) => jest.advanceTimersByTimeAsync(count * 1_000);

/** A request for a permit, and what became of it. */
interface Attempt {
  readonly accountId: string;
  readonly response: ServerResponse;
  permit?: Permit;
  error?: unknown;
}

function semaphoreOf(limits: Partial<FairLimits> = {}) {
  const semaphore = new FairSemaphore({ ...LIMITS, ...limits });
  const acquire = async (accountId: string): Promise<Attempt> => {
    const response = new EventEmitter() as unknown as ServerResponse;
    const attempt: Attempt = { accountId, response };
    void semaphore.acquire(accountId, response).then(
      (permit) => (attempt.permit = permit),
      (error: unknown) => (attempt.error = error),
    );
    await jest.advanceTimersByTimeAsync(0);
    return attempt;
  };
  const acquireMany = async (accountId: string, count: number) => {
    const attempts: Attempt[] = [];
    for (let i = 0; i < count; i += 1) attempts.push(await acquire(accountId));
    return attempts;
  };
  return { acquire, acquireMany };
}

/** Makes the transfer of an attempt endable; its end releases the permit. */
function transfer({ permit }: Attempt, progressBytes: number, isSlow = false) {
  const state = { isEnded: false };
  const end = () => {
    state.isEnded = true;
    permit?.release();
  };
  if (permit) permit.transfer = { progressBytes, isSlow: () => isSlow, end };
  return state;
}

const admitted = (attempts: readonly Attempt[]) => attempts.filter(({ permit }) => permit).length;

describe('FairSemaphore', () => {
  it('refuses a request above the limit of its account at once, and admits others', async () => {
    const { acquire, acquireMany } = semaphoreOf();
    expect(admitted(await acquireMany('a', 7))).toBe(7);
    expect((await acquire('a')).error).toEqual(new SemaphoreFull('account', 7));
    expect((await acquire('b')).permit).toBeDefined();
  });

  it('lets a request wait at the limit of all, and refuses it after the wait', async () => {
    const { acquire, acquireMany } = semaphoreOf();
    const [first] = await acquireMany('a', 4);
    await acquireMany('b', 4);
    const waiting = [await acquire('c'), await acquire('d')];
    await seconds(9);
    expect(waiting.map(({ permit, error }) => [permit, error])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    first?.permit?.release();
    await seconds(2);
    expect(waiting[0]?.permit).toBeDefined();
    expect(waiting[1]?.error).toEqual(new SemaphoreFull('process', 8));
  });

  it('admits the waiting request whose account has the fewest transfers, and of equals the first', async () => {
    const { acquire, acquireMany } = semaphoreOf();
    const [first, second] = await acquireMany('a', 5);
    await acquireMany('b', 3);
    const [ofB, ofC, laterOfC] = [await acquire('b'), await acquire('c'), await acquire('c')];
    first?.permit?.release();
    await seconds(0);
    expect([ofB, ofC, laterOfC].map(({ permit }) => Boolean(permit))).toEqual([false, true, false]);
    second?.permit?.release();
    await seconds(0);
    expect([ofB, ofC, laterOfC].map(({ permit }) => Boolean(permit))).toEqual([false, true, true]);
  });

  it('ends the transfer with the least progress of an account above its share, one for each waiting request below its own', async () => {
    const { acquire, acquireMany } = semaphoreOf();
    const ofA = (await acquireMany('a', 6)).map((attempt, index) => transfer(attempt, 10 - index));
    const ofB = (await acquireMany('b', 2)).map((attempt) => transfer(attempt, 0));
    const waiting = [await acquire('c'), await acquire('c'), await acquire('c')];
    await seconds(1);
    expect(admitted(waiting)).toBe(2); // its share
    expect(ofA.map(({ isEnded }) => isEnded)).toEqual([false, false, false, false, true, true]);
    expect(ofB.some(({ isEnded }) => isEnded)).toBe(false);
    await seconds(5);
    expect(admitted(waiting)).toBe(2);
  });

  it('holds an account to its share for 10 s after others waited, although permits are free', async () => {
    const { acquire, acquireMany } = semaphoreOf();
    const attempts = await acquireMany('a', 4);
    await acquireMany('b', 4);
    for (const attempt of attempts) transfer(attempt, 1);
    const other = await acquire('c');
    await seconds(1);
    other.permit?.release();
    const more = await acquire('a'); // has 3 already, more than its share
    await seconds(5);
    expect(more.permit).toBeUndefined();
    expect((await acquire('c')).permit).toBeDefined(); // without a wait
    attempts[1]?.permit?.release();
    await seconds(4);
    expect(more.error ?? more.permit).toBeUndefined();
    await seconds(1);
    expect(more.permit ?? more.error).toBeDefined();
  });

  it('ends a slow transfer within the share of its account, but no fast one and none of an account with as few', async () => {
    const { acquire, acquireMany } = semaphoreOf({ max: 4, accountMax: 2 });
    const [slow, fast] = (await acquireMany('a', 2)).map((attempt, i) => transfer(attempt, i, i === 0));
    const [other] = await acquireMany('b', 2);
    const ofB = transfer(other as Attempt, 5, true);
    const [first, second] = [await acquire('c'), await acquire('c')];
    await seconds(3);
    expect([slow?.isEnded, fast?.isEnded, ofB.isEnded]).toEqual([true, false, true]);
    expect([first.permit, second.permit].filter(Boolean)).toHaveLength(2);
    const [third] = [await acquire('d')];
    await seconds(3);
    expect(third.permit).toBeUndefined();
  });

  it('forgets a waiting request whose client has left', async () => {
    const { acquire, acquireMany } = semaphoreOf();
    const [running] = await acquireMany('a', 4);
    await acquireMany('b', 4);
    const left = await acquire('c');
    left.response.emit('close');
    await seconds(0);
    expect(left.error).toBeInstanceOf(ConnectionClosed);
    running?.permit?.release();
    await seconds(20);
    expect(left.permit).toBeUndefined();
    expect((await acquire('d')).permit).toBeDefined();
  });

  it('bounds the waiting requests', async () => {
    const { acquire, acquireMany } = semaphoreOf({ max: 2, accountMax: 2 });
    await acquireMany('a', 2);
    const waiting = [await acquire('b'), await acquire('b'), await acquire('b'), await acquire('c')];
    expect(waiting.map(({ error }) => (error as SemaphoreFull | undefined)?.scope)).toEqual([
      undefined,
      undefined,
      'account',
      'process',
    ]);
  });
});
