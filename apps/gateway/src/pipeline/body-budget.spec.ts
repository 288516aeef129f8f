import { describe, expect, it } from '@jest/globals';
import type { GatewayConfig } from '../config.js';
import { BodyBudget } from './body-budget.js';

const PROCESS = 160;
const newBudget = () => new BodyBudget({ BODY_BYTES_IN_FLIGHT_MAX: PROCESS } as GatewayConfig);
const refusedAt = (limit: number, used: number) =>
  expect.objectContaining({
    code: 'RATE_LIMIT_EXCEEDED',
    details: { limit, used, resets_at: expect.any(Number) },
  });

/** A call with a body of so many bytes. */
function hold(budget: BodyBudget, accountId: string | null, clientIp: string, bytes: number) {
  const reservation = budget.reserve(accountId, clientIp);
  reservation.add(bytes);
  return reservation;
}

describe('ENV-44: BodyBudget', () => {
  it('gives an account a quarter of the process, over all of its addresses and calls', () => {
    const budget = newBudget();
    const first = hold(budget, 'acc_a', '192.0.2.1', 30);
    const second = hold(budget, 'acc_a', '192.0.2.2', 10);
    expect(() => second.add(1)).toThrow(refusedAt(40, 40));
    first.release();
    second.add(30);
    expect(() => second.add(1)).toThrow(refusedAt(40, 40));
  });

  it('gives an address a sixteenth, and all addresses together a quarter, so that accounts keep three quarters', () => {
    const budget = newBudget();
    const held = [1, 2, 3, 4].map((host) => hold(budget, null, `192.0.2.${host}`, 10));
    expect(() => held[0]?.add(1)).toThrow(refusedAt(10, 10));
    expect(() => hold(budget, null, '192.0.2.5', 1)).toThrow(refusedAt(40, 40));
    for (const account of ['acc_a', 'acc_b', 'acc_c']) hold(budget, account, '192.0.2.1', 40);
  });

  it('counts the addresses of an IPv6 network together', () => {
    const budget = newBudget();
    hold(budget, null, '2001:db8::1', 10);
    expect(() => hold(budget, null, '2001:db8::2', 1)).toThrow(refusedAt(10, 10));
    hold(budget, null, '2001:db8:0:1::1', 10);
  });

  it('refuses every account when the process is full, and adds nothing of a refused part', () => {
    const budget = newBudget();
    const held = ['acc_a', 'acc_b', 'acc_c', 'acc_d'].map((account) =>
      hold(budget, account, '192.0.2.1', 40),
    );
    const late = budget.reserve('acc_e', '192.0.2.1');
    for (let times = 0; times < 3; times += 1) expect(() => late.add(1)).toThrow(refusedAt(160, 160));
    late.release();
    held[0]?.release();
    hold(budget, 'acc_e', '192.0.2.1', 40);
  });
});
