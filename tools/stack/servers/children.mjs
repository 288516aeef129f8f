import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * @typedef {object} ChildRecord
 * @property {string} name
 * @property {number} pid
 * @property {string} startedAt the system's own note of when the process began; a reused pid has another
 * @property {NodeJS.Signals} stopSignal what asks this program to end cleanly
 */

/**
 * @param {number} pid
 * @returns {string | undefined} when the process began, in the system's own notation; undefined when there is none
 */
export function processStart(pid) {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

/** @param {number} pid */
function startFromProc(pid) {
  try {
    // proc(5): the name in parentheses may hold spaces; state is field 3 and starttime field 22.
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
 * Notes a child on disk at once, one file each, so that whoever comes after a crash can end it.
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
 * @returns {ChildRecord[]} the children noted there that still run; a reused pid is not one of them
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
 * Ends what an earlier run left behind: cleanly first, then by force.
 * @param {string} folder
 * @param {number} [patienceMs] how long a child may take to end by itself
 * @returns {Promise<ChildRecord[]>} the children that it ended
 */
export async function reapChildren(folder, patienceMs = 8000) {
  const children = runningChildren(folder);
  for (const child of children) signal(child, child.stopSignal);
  await waitUntilGone(children, patienceMs);
  for (const child of children.filter(isRunning)) signal(child, 'SIGKILL');
  await waitUntilGone(children, 2000);
  rmSync(folder, { recursive: true, force: true });
  return children;
}

/**
 * Children lead their own process groups. PostgreSQL's backends lead theirs too and follow their postmaster.
 * @param {ChildRecord} child
 * @param {NodeJS.Signals} name
 */
function signal(child, name) {
  // A paused child (SIGSTOP) would never see the request.
  for (const one of /** @type {NodeJS.Signals[]} */ ([name, 'SIGCONT'])) signalProcess(-child.pid, one);
}

/**
 * @param {number} pid negative for a process group
 * @param {NodeJS.Signals} name
 * @returns {boolean} false when there is no such process any more
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
async function waitUntilGone(children, limitMs) {
  const deadline = Date.now() + limitMs;
  while (children.some(isRunning) && Date.now() < deadline) await delay(20);
}
