// The processor time of the product without requests.
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMicroseconds, perRequest } from '../cpu.ts';
import { say } from '../report.ts';
import { sum } from '../rows.ts';
import type { GroupFigures } from './process-groups.ts';

/** Writes that follow a load, such as flushes of counters and an autovacuum, are over by then. */
const SETTLE_SECONDS = 10;
const IDLE_SECONDS = 20;

/** @returns percent of one core by process, and of `all` */
export async function measureIdle(
  pids: Record<string, number>,
  backlog: { wait: () => Promise<void> },
): Promise<GroupFigures> {
  await backlog.wait();
  say(`idle for ${SETTLE_SECONDS + IDLE_SECONDS} s`);
  await delay(SETTLE_SECONDS * 1_000);
  const before = cpuMicroseconds(pids);
  const startedAt = performance.now();
  await delay(IDLE_SECONDS * 1_000);
  const after = cpuMicroseconds(pids);
  const elapsedUs = (performance.now() - startedAt) * 1_000;
  const percent = Object.fromEntries(
    Object.entries(perRequest(before, after, elapsedUs)).map(([name, share]) => [name, 100 * share]),
  );
  return { ...percent, all: sum(percent) };
}
