// An outage of reporting, which the supervisor of the stack would end at once.
import { setTimeout as delay } from 'node:timers/promises';
import type { TemporaryStack } from '../../stack/temporary-stack.ts';

const POLL_MS = 20;

/**
 * Stops reporting with SIGTERM, and pauses the process by which the supervisor replaces it before it has connected to any
 * server.
 * @returns lets the new process go on
 */
export async function stopReporting({ descriptor }: TemporaryStack): Promise<() => void> {
  const pidNow = () => descriptor().services.reporting?.pid;
  const running = pidNow();
  if (!running) throw new Error('reporting does not run');
  process.kill(running, 'SIGTERM');
  let pid: number | null | undefined = running;
  while (pid === running || !pid) {
    await delay(POLL_MS);
    pid = pidNow();
  }
  process.kill(pid, 'SIGSTOP');
  const paused = pid;
  return () => void process.kill(paused, 'SIGCONT');
}
