import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@vaultsvc/testing/waiting';
import type { TemporaryStack } from '../stack/temporary-stack.mjs';

/** As far as unrest looks at the descriptor: pids follow restarts and are null while there is no process. */
export interface Processes {
  readonly services: Readonly<Record<string, { readonly pid: number | null; readonly private_url: string }>>;
  readonly infrastructure: Readonly<Record<string, { readonly pid: number | null }>>;
}

export type Victim = 'forge' | 'vaults' | 'postgres' | 'nats' | 'reporting';

export interface Unrest {
  readonly stack: Pick<TemporaryStack, 'descriptor'>;
  readonly victims: readonly Victim[];
  readonly kills: Record<string, number>;
  /** Rises whenever something was brought to an end that no kill undoes. */
  readonly progress: () => number;
  readonly signal: AbortSignal;
  /** How long a stack that works is left in peace, at the most. */
  readonly peaceMs?: number;
}

const PEACE_MS = 2_000;
const LOOK_EVERY_MS = 100;
const UP_SECONDS = 90;

/**
 * Kills these of a stack, one after the other at random moments, until the signal; its supervisor starts them again.
 * The next one only when all is up again and something was done: where a start takes long, nothing would ever be.
 * When it ends, all is up.
 */
export async function unrest({ stack, victims, kills, progress, signal, peaceMs = PEACE_MS }: Unrest) {
  let done = -1;
  let last: number | null = null;
  const wait = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  for (;;) {
    while (!signal.aborted && (!(await isUp(stack, last)) || progress() === done)) await wait(LOOK_EVERY_MS);
    await wait(randomInt(peaceMs));
    if (signal.aborted) break;
    const victim = victims[randomInt(victims.length)] as Victim;
    done = progress();
    last = pidOf(stack, victim);
    if (killProcess(stack, victim)) kills[victim] = (kills[victim] ?? 0) + 1;
  }
  // Whoever needs what is away even then will say so.
  await eventually(() => isUp(stack, last), Boolean, UP_SECONDS).catch(() => undefined);
}

/** Whether every service is ready, which none is without PostgreSQL and NATS, and the last victim is another process. */
async function isUp(stack: Unrest['stack'], last: number | null): Promise<boolean> {
  const { services, infrastructure } = stack.descriptor() as Processes;
  const pids = [...Object.values(services), ...Object.values(infrastructure)].map(({ pid }) => pid);
  if (pids.includes(null) || pids.includes(last)) return false;
  const looks = Object.values(services).map(({ private_url }) => fetch(`${private_url}/readyz`));
  return Promise.all(looks).then(
    (answers) => answers.every(({ ok }) => ok),
    () => false,
  );
}

/** Ends a process at once, with nothing said and nothing finished. False when it does not run at this moment. */
export function killProcess(stack: Unrest['stack'], victim: Victim): boolean {
  const pid = pidOf(stack, victim);
  if (!pid) return false;
  // PostgreSQL's own immediate shutdown is a crash of all its processes at once; kill -9 leaves them to find out.
  const signal = victim === 'postgres' && randomInt(2) === 0 ? 'SIGQUIT' : 'SIGKILL';
  return killed(pid, signal);
}

function pidOf(stack: Unrest['stack'], victim: Victim): number | null {
  const { services, infrastructure } = stack.descriptor() as Processes;
  return (services[victim] ?? infrastructure[victim])?.pid ?? null;
}

function killed(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
