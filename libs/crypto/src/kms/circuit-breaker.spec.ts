import { describe, expect, it } from '@jest/globals';
import { CircuitBreaker } from './circuit-breaker.js';

function withFailures(count: number) {
  const clock = { nowMs: 0 };
  const breaker = new CircuitBreaker(() => clock.nowMs);
  for (let failure = 0; failure < count; failure += 1) breaker.fail();
  return { clock, breaker };
}

describe('CircuitBreaker', () => {
  it('admits all calls until five consecutive failures', () => {
    const { breaker } = withFailures(4);
    expect(breaker.admits()).toBe(true);
    breaker.succeed();
    for (let failure = 0; failure < 4; failure += 1) breaker.fail();
    expect(breaker.admits()).toBe(true);
    breaker.fail();
    expect(breaker.admits()).toBe(false);
  });

  it('admits one call per second while open', () => {
    const { breaker, clock } = withFailures(5);
    clock.nowMs = 999;
    expect(breaker.admits()).toBe(false);
    clock.nowMs = 1_000;
    expect([breaker.admits(), breaker.admits()]).toEqual([true, false]);
    clock.nowMs = 2_000;
    expect([breaker.admits(), breaker.admits()]).toEqual([true, false]);
  });

  it('closes after the first success', () => {
    const { breaker, clock } = withFailures(9);
    clock.nowMs = 1_000;
    expect(breaker.admits()).toBe(true);
    breaker.succeed();
    expect([breaker.admits(), breaker.admits()]).toEqual([true, true]);
  });
});
