import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@vaultsvc/testing/waiting';

/** The fields of `stack.json` in use: pids follow restarts and are null while there is no process. */
export interface Processes {
  readonly services: Readonly<Record<string, { readonly pid: number | null; readonly private_url: string }>>;
  readonly infrastructure: Readonly<Record<string, { readonly pid: number | null }>>;
}

export interface StackFaults {
  readonly stack: { readonly descriptor: () => Processes };
  /** Names of services and servers of the stack; one that occurs twice is killed twice as often. */
  readonly victims: readonly string[];
  readonly kills: Record<string, number>;
  /** A counter of completed work, which no kill can undo. */
  readonly progress: () => number;
  readonly signal: AbortSignal;
  /** The longest random pause between readiness and the next kill. */
  readonly pauseMsMax?: number;
  /** From 0 to 1, exclusive; a seed can repeat the choice of victims and pauses. */
  readonly random?: () => number;
}

const PAUSE_MS_MAX = 2_000;
const PROBE_EVERY_MS = 100;
const UP_SECONDS = 90;

/**
 * Kills the given processes of a stack, one after the other at random moments, until the signal; its supervisor restarts
 * them. Each kill waits until all processes are ready and work has progressed, because slow restarts would otherwise
 * prevent all progress. Ends when all processes are ready.
 */
export async function injectStackFaults({
  stack,
  victims,
  kills,
  progress,
  signal,
  pauseMsMax = PAUSE_MS_MAX,
  random = Math.random,
}: StackFaults) {
  const below = (max: number) => Math.floor(random() * max);
  let done = -1;
  let last: number | null = null;
  const wait = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  for (;;) {
    while (!signal.aborted && (!(await isUp(stack, last)) || progress() === done)) await wait(PROBE_EVERY_MS);
    await wait(below(pauseMsMax));
    if (signal.aborted) break;
    const victim = victims[below(victims.length)] as string;
    done = progress();
    last = pidOf(stack, victim);
    if (killProcess(stack, victim, random)) kills[victim] = (kills[victim] ?? 0) + 1;
  }
  // If a process is still down, the test that needs it fails.
  await eventually(() => isUp(stack, last), Boolean, UP_SECONDS).catch(() => undefined);
}

/** Whether the last victim was replaced and every service is ready, which implies PostgreSQL and NATS. */
async function isUp(stack: StackFaults['stack'], last: number | null): Promise<boolean> {
  const { services, infrastructure } = stack.descriptor();
  const pids = [...Object.values(services), ...Object.values(infrastructure)].map(({ pid }) => pid);
  if (pids.includes(null) || pids.includes(last)) return false;
  const probes = Object.values(services).map(({ private_url }) => fetch(`${private_url}/readyz`));
  return Promise.all(probes).then(
    (answers) => answers.every(({ ok }) => ok),
    () => false,
  );
}

/** Kills a process without a shutdown. False when it does not run at this moment. */
export function killProcess(stack: StackFaults['stack'], victim: string, random = Math.random): boolean {
  const pid = pidOf(stack, victim);
  if (!pid) return false;
  // SIGQUIT ends all processes of PostgreSQL at once; SIGKILL ends only the first, and the others notice later.
  const signal = victim === 'postgres' && random() < 0.5 ? 'SIGQUIT' : 'SIGKILL';
  return killed(pid, signal);
}

function pidOf(stack: StackFaults['stack'], victim: string): number | null {
  const { services, infrastructure } = stack.descriptor();
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
