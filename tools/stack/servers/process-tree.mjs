import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/**
 * @param {number} root a process id; 0 for none
 * @returns {number[]} that process and its descendants, parents first
 */
export function processTree(root) {
  if (root === 0) return [];
  const parents = process.platform === 'linux' ? parentsFromProc() : parentsFromPs();
  const tree = [root];
  for (const pid of tree)
    tree.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  return tree;
}

const STOP_LIMIT_MS = 2_000;

/**
 * Waits until SIGSTOP has stopped every thread of a process: the signal is not delivered at once, and a program on another
 * processor goes on meanwhile. Linux only; elsewhere it returns at once.
 * @param {number} pid
 */
export function waitUntilStopped(pid) {
  const until = Date.now() + STOP_LIMIT_MS;
  while (threadStates(pid).some((state) => !'TtZX'.includes(state)) && Date.now() < until)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}

/**
 * @param {number} pid
 * @returns {string[]} the letters of proc(5); none for a process that has exited
 */
function threadStates(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.map((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
      return stat.split(') ').at(-1)?.[0] ?? 'X';
    });
  } catch {
    return [];
  }
}

/** @returns {[number, number][]} pid and parent */
function parentsFromProc() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
        return [/** @type {[number, number]} */ ([Number(name), parent])];
      } catch {
        return []; // It exited in the meantime.
      }
    });
}

/** @returns {[number, number][]} */
function parentsFromPs() {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => /** @type {[number, number]} */ (line.trim().split(/\s+/).map(Number)));
}
