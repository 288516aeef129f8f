import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * @typedef {object} ChildRecord
 * @property {string} name
 * @property {number} pid
 * @property {string} startedAt the system's start time of the process, which differs for a reused pid
 * @property {NodeJS.Signals} stopSignal what asks this program to end cleanly
 */

/**
 * @param {number} pid
 * @returns {string | undefined} the start time of the process in the system's notation; undefined without such a process
 */
export function processStart(pid) {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

/** @param {number} pid */
function startFromProc(pid) {
  try {
    // proc(5): the name in parentheses may contain spaces; state is field 3 and starttime field 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function startFromPs(pid) {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** @param {Pick<ChildRecord, 'pid' | 'startedAt'>} record */
export function isRunning({ pid, startedAt }) {
  return processStart(pid) === startedAt;
}

/**
 * Records a child in a file, so that the next launcher can stop it after a crash.
 * @param {string} folder
 * @param {{ name: string, pid: number, stopSignal: NodeJS.Signals }} child
 */
export function recordChild(folder, child) {
  const startedAt = processStart(child.pid);
  if (!startedAt) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${child.pid}.json`);
  writeFileSync(`${path}.new`, JSON.stringify({ ...child, startedAt }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/**
 * @param {string} folder
 * @param {number} pid
 */
export function forgetChild(folder, pid) {
  rmSync(join(folder, `${pid}.json`), { force: true });
}

/**
 * @param {string} folder
 * @returns {ChildRecord[]} the recorded children that still run; reused pids are excluded
 */
export function runningChildren(folder) {
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
 * @param {string} folder
 * @param {number} [graceMs] the time before SIGKILL
 * @returns {Promise<ChildRecord[]>} the stopped children
 */
export async function reapChildren(folder, graceMs = 8000) {
  const children = runningChildren(folder);
  for (const child of children) signal(child, child.stopSignal);
  await waitForExit(children, graceMs);
  for (const child of children.filter(isRunning)) signal(child, 'SIGKILL');
  await waitForExit(children, 2000);
  rmSync(folder, { recursive: true, force: true });
  return children;
}

/**
 * Signals the process group that the child leads. PostgreSQL's backends have own groups, but exit with their postmaster.
 * @param {ChildRecord} child
 * @param {NodeJS.Signals} name
 */
function signal(child, name) {
  // A paused child (SIGSTOP) would not handle the signal without SIGCONT.
  for (const one of /** @type {NodeJS.Signals[]} */ ([name, 'SIGCONT'])) signalProcess(-child.pid, one);
}

/**
 * @param {number} pid negative for a process group
 * @param {NodeJS.Signals} name
 * @returns {boolean} false when the process no longer exists
 */
export function signalProcess(pid, name) {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH') return false;
    throw error;
  }
}

/**
 * @param {ChildRecord[]} children
 * @param {number} limitMs
 */
async function waitForExit(children, limitMs) {
  const deadline = Date.now() + limitMs;
  while (children.some(isRunning) && Date.now() < deadline) await delay(20);
}
