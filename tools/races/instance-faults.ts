import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { startInstance } from './service-instances.mjs';

export type ServiceInstance = Awaited<ReturnType<typeof startInstance>>;

const KILL_EVERY_MS = 2_000;

/** Kills one copy after the other, starts it again, and pauses another one meanwhile, until the signal. */
export async function injectInstanceFaults(
  copies: readonly ServiceInstance[],
  report: { kills: number },
  signal: AbortSignal,
  killEveryMs = KILL_EVERY_MS,
): Promise<void> {
  const wait = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  for (let victim = 0; !signal.aborted; victim = (victim + 1) % copies.length) {
    const [killed, paused] = [copies[victim], copies[(victim + 1) % copies.length]] as [
      ServiceInstance,
      ServiceInstance,
    ];
    await wait(randomInt(killEveryMs / 2, killEveryMs));
    paused.pause();
    await wait(randomInt(50, 300));
    paused.resume();
    if (signal.aborted) return;
    await killed.kill('SIGKILL');
    report.kills += 1;
    await killed.start();
  }
}
