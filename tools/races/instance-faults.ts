import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { startInstance } from './service-instances.ts';

export type ServiceInstance = Awaited<ReturnType<typeof startInstance>>;

const KILL_EVERY_MS = 2_000;

/** Until the signal, kills and restarts one instance after the other, and pauses another one before each kill. */
export async function injectInstanceFaults(
  instances: readonly ServiceInstance[],
  report: { kills: number },
  signal: AbortSignal,
  killEveryMs = KILL_EVERY_MS,
): Promise<void> {
  const wait = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  for (let victim = 0; !signal.aborted; victim = (victim + 1) % instances.length) {
    const [killed, paused] = [instances[victim], instances[(victim + 1) % instances.length]] as [
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
    await killed.restart(); // repeated while NATS has no leader
  }
}
