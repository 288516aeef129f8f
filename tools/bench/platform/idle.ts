// @ts-nocheck
// The processor time of the product without requests.
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMicroseconds } from '../cpu.ts';
import { say } from '../report.ts';
import { sum } from '../rows.ts';

/** Writes that follow a load, such as flushes of counters and an autovacuum, are over by then. */
const SETTLE_SECONDS = 10;
const IDLE_SECONDS = 20;

/** @returns percent of one core by process, and of `all` */
export async function measureIdle(
  pids: Record<string, number>,
  backlog: { wait: () => Promise<void> },
): Promise<Record<string, number>> {
  await backlog.wait();
  say(`idle for ${SETTLE_SECONDS + IDLE_SECONDS} s`);
  await delay(SETTLE_SECONDS * 1_000);
  const before = cpuMicroseconds(pids);
  const startedAt = performance.now();
  await delay(IDLE_SECONDS * 1_000);
  const after = cpuMicroseconds(pids);
  const elapsedUs = (performance.now() - startedAt) * 1_000;
  const percent = Object.fromEntries(
    Object.keys(pids).map((name) => [name, (100 * (after[name] - before[name])) / elapsedUs]),
  );
  return { ...percent, all: sum(percent) };
}
