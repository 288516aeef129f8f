import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { delay } from '../delay.js';
import { isRunning, thisProcess, type ProcessName } from './process-name.js';

/** The same other process in so many attempts in a row has the lock; one that only tries has a new ticket each time. */
const SIGHTINGS = 4;
const ATTEMPTS_MAX = 100;
/** Node reports ENOTDIR for a folder that is removed during a recursive mkdir. */
const FOLDER_REMOVED: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** Another process has the lock. */
export class LockHeld extends Error {
  override readonly name = 'LockHeld';

  constructor(
    readonly holder: ProcessName,
    /** The file that stands for the lock. */
    readonly ticket: string,
  ) {
    super(`Process ${holder.pid} on ${holder.host} has the lock ${ticket}.`);
  }
}

/**
 * A lock between processes, which ends with its process, also by kill -9. It is a folder in which each process that wants it
 * puts a ticket of its own, under a name that is never used again. So a ticket of a process that is gone can be removed at any
 * time, without a chance to remove another's. The lock has the process that sees no other ticket after it put its own.
 */
export class ProcessLock {
  private constructor(
    private readonly folder: string,
    private readonly ticket: string,
  ) {}

  /** @throws LockHeld if another process has it, or this one for something else */
  static async acquire(folder: string): Promise<ProcessLock> {
    const sightings = new Map<string, number>();
    for (let attempt = 1; ; attempt++) {
      const ticket = await putTicket(folder);
      const [other, ...rest] = await otherTickets(folder, ticket);
      if (other === undefined) return new ProcessLock(folder, ticket);
      await rm(join(folder, ticket), { force: true });
      for (const seen of [other, ...rest]) sightings.set(seen, (sightings.get(seen) ?? 0) + 1);
      const held = [...sightings].find(([, count]) => count >= SIGHTINGS)?.[0];
      if (held !== undefined || attempt === ATTEMPTS_MAX) throw heldBy(folder, held ?? other);
      await delay(10 + Math.random() * 40);
    }
  }

  async release(): Promise<void> {
    await rm(join(this.folder, this.ticket), { force: true });
    // Another process may have put its ticket by now.
    await rmdir(this.folder).catch(() => undefined);
    await rmdir(dirname(this.folder)).catch(() => undefined);
  }
}

async function putTicket(folder: string): Promise<string> {
  const { host, pid, started } = thisProcess();
  const ticket = [pid, started, randomBytes(6).toString('hex'), encodeURIComponent(host)].join('~');
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await (await open(join(folder, ticket), 'wx', 0o600)).close();
      return ticket;
    } catch (error) {
      // A process that ends removes the folder, and the one around it.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (attempt === ATTEMPTS_MAX || !FOLDER_REMOVED.has(code)) throw error;
    }
  }
}

async function otherTickets(folder: string, own: string): Promise<string[]> {
  const others = (await readdir(folder)).filter((name) => name !== own);
  const running = others.filter((name) => isRunning(processOf(name)));
  for (const gone of others.filter((name) => !running.includes(name)))
    await rm(join(folder, gone), { force: true });
  return running;
}

function processOf(ticket: string): ProcessName {
  const [pid, started = '', , host = ''] = ticket.split('~');
  return { pid: Number(pid), started, host: decodeURIComponent(host) };
}

function heldBy(folder: string, ticket: string): LockHeld {
  return new LockHeld(processOf(ticket), join(folder, ticket));
}
