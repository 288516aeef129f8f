// An outage of reporting, which the supervisor of the stack would end at once.
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

/**
 * Stops reporting with SIGTERM, and pauses the process by which the supervisor replaces it before it has connected to any
 * server.
 * @param {import('../../stack/temporary-stack.ts').TemporaryStack} stack
 * @returns {Promise<() => void>} lets the new process go on
 */
export async function stopReporting({ descriptor }) {
  const pidNow = () => descriptor().services.reporting.pid;
  const running = pidNow();
  process.kill(running, 'SIGTERM');
  let pid = running;
  while (pid === running || !pid) {
    await delay(POLL_MS);
    pid = pidNow();
  }
  process.kill(pid, 'SIGSTOP');
  return () => void process.kill(pid, 'SIGCONT');
}
