import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

interface ChildRecord {
  name: string;
  pid: number;
  /** The system's start time of the process, which differs for a reused pid. */
  startedAt: string;
  /** What asks this program to end cleanly. */
  stopSignal: NodeJS.Signals;
}

/** @returns the start time of the process in the system's notation; undefined without such a process */
export function processStart(pid: number): string | undefined {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

function startFromProc(pid: number) {
  try {
    // proc(5): the name in parentheses may contain spaces; state is field 3 and starttime field 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function startFromPs(pid: number) {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

export function isRunning({ pid, startedAt }: Pick<ChildRecord, 'pid' | 'startedAt'>) {
  return processStart(pid) === startedAt;
}

/** Records a child in a file, so that the next launcher can stop it after a crash. */
export function recordChild(
  folder: string,
  child: { name: string; pid: number; stopSignal: NodeJS.Signals },
) {
  const startedAt = processStart(child.pid);
  if (!startedAt) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${child.pid}.json`);
  writeFileSync(`${path}.new`, JSON.stringify({ ...child, startedAt }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function forgetChild(folder: string, pid: number) {
  rmSync(join(folder, `${pid}.json`), { force: true });
}

/** @returns the recorded children that still run; reused pids are excluded */
export function runningChildren(folder: string): ChildRecord[] {
  let names;
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))).filter(isRunning);
}

/**
 * Stops the children of an earlier run: first with their stop signal, then with SIGKILL.
 * @param graceMs the time before SIGKILL
 * @returns the stopped children
 */
export async function reapChildren(folder: string, graceMs = 8000): Promise<ChildRecord[]> {
  const children = runningChildren(folder);
  for (const child of children) signal(child, child.stopSignal);
  await waitForExit(children, graceMs);
  for (const child of children.filter(isRunning)) signal(child, 'SIGKILL');
  await waitForExit(children, 2000);
  rmSync(folder, { recursive: true, force: true });
  return children;
}

/** Signals the process group that the child leads. PostgreSQL's backends have own groups, but exit with their postmaster. */
function signal(child: ChildRecord, name: NodeJS.Signals) {
  // A paused child (SIGSTOP) would not handle the signal without SIGCONT.
  for (const one of [name, 'SIGCONT'] as NodeJS.Signals[]) signalProcess(-child.pid, one);
}

/**
 * @param pid negative for a process group
 * @returns false when the process no longer exists
 */
export function signalProcess(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

async function waitForExit(children: ChildRecord[], limitMs: number) {
  const deadline = Date.now() + limitMs;
  while (children.some(isRunning) && Date.now() < deadline) await delay(20);
}
