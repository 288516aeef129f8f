import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { signalProcess } from '../stack/servers/children.ts';
import { processTree } from '../stack/servers/process-tree.ts';
import { randomFrom } from './random.ts';

const pauseMs = { min: 5, max: 700 };
const gapMs = { min: 0, max: 600 };
/** One pause in so many stops a process with everything below it, as a server with its backends. */
const treeEvery = 4;

/** Pauses random processes below one, one after another. Linux only: it reads their states in /proc. */
export class Shaker {
  #random;
  #isStopping = false;
  #pauses = 0;
  #running: Promise<void> | undefined;

  /** @param seed of the choices and of their lengths */
  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  /** @param root never pauses: only its descendants do */
  start(root: number) {
    if (process.platform !== 'linux') throw new Error('Processes can be shaken on Linux only');
    this.#running = this.#run(root);
  }

  /** @returns how many pauses there were, once the last one is over */
  async stop(): Promise<number> {
    this.#isStopping = true;
    await this.#running;
    return this.#pauses;
  }

  async #run(root: number) {
    while (!this.#isStopping) {
      await delay(this.#between(gapMs));
      await this.#pause(processTree(root).slice(1));
    }
  }

  async #pause(pids: number[]) {
    const chosen = this.#choose(pids);
    if (chosen === undefined) return;
    const whole = this.#random() < 1 / treeEvery ? processTree(chosen) : [chosen];
    const stopped = whole.filter(pauseUnlessPaused);
    this.#pauses += stopped.length > 0 ? 1 : 0;
    await delay(this.#between(pauseMs));
    for (const pid of stopped.reverse()) signalProcess(pid, 'SIGCONT');
  }

  /** Each program as often as any other: PostgreSQL alone has dozens of processes. */
  #choose(pids: number[]) {
    const names = pids.map(nameOf);
    const name = this.#oneOf([...new Set(names)]);
    return this.#oneOf(pids.filter((_, at) => names[at] === name));
  }

  #oneOf<T>(items: T[]): T | undefined {
    return items[Math.floor(this.#random() * items.length)];
  }

  #between({ min, max }: { min: number; max: number }) {
    return min + this.#random() * (max - min);
  }
}

/**
 * A process that a test has paused stays as it is, and is not woken later.
 * @returns whether it has been paused here
 */
export function pauseUnlessPaused(pid: number): boolean {
  const state = stateOf(pid);
  const mayPause = state !== undefined && !'TtZ'.includes(state) && !isWatched(pid);
  return mayPause && signalProcess(pid, 'SIGSTOP');
}

/**
 * Programs that act on the stop of a child, which outside of tests a person has ordered. `script` stops itself, and nobody would wake it;
 * an interactive zsh goes on with the next command, and calls the stopped one failed.
 */
const watchingParents = ['script', 'zsh'];

function isWatched(pid: number): boolean {
  const parent = Number(statOf(pid)?.split(') ').at(-1)?.split(' ')[1]);
  return watchingParents.includes(nameOf(parent));
}

/** @returns proc(5): the letter of its state, T while it is stopped */
export function stateOf(pid: number): string | undefined {
  return statOf(pid)?.split(') ').at(-1)?.[0];
}

function nameOf(pid: number) {
  return /\((.*)\) /.exec(statOf(pid) ?? '')?.[1] ?? '';
}

function statOf(pid: number) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // It has ended.
  }
}
