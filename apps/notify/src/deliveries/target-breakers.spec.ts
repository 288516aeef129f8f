import { beforeEach, describe, expect, it } from '@jest/globals';
import { TargetBreakers } from './target-breakers.js';

let breakers: TargetBreakers;
beforeEach(() => {
  breakers = new TargetBreakers();
});

function fail(times: number, at = 0): void {
  for (let time = 0; time < times; time++) {
    breakers.admit('target', at);
    breakers.unanswered('target', at);
  }
}

describe('NTF-43: the breaker of a target', () => {
  it('opens after three messages without an answer, for 5 s', () => {
    fail(2);
    expect(breakers.waitMs('target', 0)).toBe(0);
    fail(1);
    expect(breakers.waitMs('target', 0)).toBe(5_000);
    expect(breakers.admit('target', 4_999)).toBe(false);
  });

  it('counts consecutive ones', () => {
    fail(2);
    breakers.answered('target');
    fail(2);
    expect(breakers.admit('target', 0)).toBe(true);
  });

  it('then admits one message at a time', () => {
    fail(3);
    expect(breakers.admit('target', 5_000)).toBe(true);
    expect(breakers.admit('target', 100_000)).toBe(false);
    breakers.answered('target');
    expect([breakers.admit('target', 100_000), breakers.admit('target', 100_000)]).toEqual([true, true]);
  });

  it('doubles its delay with each failed probe, to 60 s', () => {
    fail(3);
    const delays: number[] = [];
    for (let at = 5_000, round = 0; round < 6; round++) {
      fail(1, at);
      delays.push(breakers.waitMs('target', at));
      at += breakers.waitMs('target', at);
    }
    expect(delays).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  });

  it('stays as it is when messages fail that were sent before it opened', () => {
    fail(3);
    breakers.unanswered('target', 1_000);
    expect(breakers.waitMs('target', 1_000)).toBe(4_000);
  });

  it('holds no other target back', () => {
    fail(3);
    expect(breakers.admit('another', 0)).toBe(true);
  });
});
