import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TransferRate } from './transfer-rate.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const seconds = (count: number) => jest.advanceTimersByTime(count * 1_000);

/** A transfer of so many bytes in each second. */
function transferAt(bytesPerSecond: number) {
  const transfer = { progressBytes: 0, isWaitingForClient: true };
  const timer = setInterval(() => (transfer.progressBytes += bytesPerSecond), 1_000);
  return { transfer, stop: () => clearInterval(timer) };
}

describe('the rate of a transfer', () => {
  it('is not known before a whole window of 10 s has passed', () => {
    const rate = new TransferRate(transferAt(0).transfer);
    seconds(10);
    expect(rate.isBelow(1)).toBe(false);
    seconds(1);
    expect(rate.isBelow(1)).toBe(true);
  });

  it('is that of the last window: a transfer that becomes faster is not slow any more', () => {
    const { transfer, stop } = transferAt(99);
    const rate = new TransferRate(transfer);
    seconds(20);
    expect([rate.windowBytes, rate.isBelow(100), rate.isBelow(99)]).toEqual([990, true, false]);
    stop();
    transfer.progressBytes += 1_000;
    seconds(1);
    expect(rate.isBelow(100)).toBe(false);
    seconds(10);
    expect([rate.windowBytes, rate.isBelow(100)]).toEqual([0, true]);
  });

  it('does not count the time in which the store is waited for', () => {
    const { transfer } = transferAt(0);
    const rate = new TransferRate(transfer);
    seconds(6);
    transfer.isWaitingForClient = false;
    seconds(60);
    expect(rate.isBelow(1)).toBe(false);
    transfer.isWaitingForClient = true;
    seconds(5);
    expect(rate.isBelow(1)).toBe(true);
  });
});
