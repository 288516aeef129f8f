import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnStack } from '../stack/own-stack.mjs';

/** As far as unrest looks at the descriptor: pids follow restarts and are null while there is no process. */
export interface Processes {
  readonly services: Readonly<Record<string, { readonly pid: number | null }>>;
  readonly infrastructure: Readonly<Record<string, { readonly pid: number | null }>>;
}

export type Victim = 'forge' | 'vaults' | 'postgres' | 'nats' | 'reporting';

// Seldom enough that a victim is up again, and often enough that no upload is left in peace.
const SHORTEST_MS = 2_000;
const LONGEST_MS = 6_000;

/** Kills these of a stack, one after the other at random moments, until the signal; its supervisor starts them again. */
export async function unrest(
  stack: OwnStack,
  victims: readonly Victim[],
  kills: Record<string, number>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await delay(randomInt(SHORTEST_MS, LONGEST_MS), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const victim = victims[randomInt(victims.length)] as Victim;
    if (killOne(stack, victim)) kills[victim] = (kills[victim] ?? 0) + 1;
  }
}

/** Ends a process at once, with nothing said and nothing finished. False when it does not run at this moment. */
export function killOne(stack: OwnStack, victim: Victim): boolean {
  const { services, infrastructure } = stack.descriptor() as Processes;
  const pid = (services[victim] ?? infrastructure[victim])?.pid;
  if (!pid) return false;
  // PostgreSQL's own immediate shutdown is a crash of all its processes at once; kill -9 leaves them to find out.
  const signal = victim === 'postgres' && randomInt(2) === 0 ? 'SIGQUIT' : 'SIGKILL';
  return killed(pid, signal);
}

function killed(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
