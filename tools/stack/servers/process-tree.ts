import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/**
 * @param root a process id; 0 for none
 * @returns that process and its descendants, parents first
 */
export function processTree(root: number): number[] {
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
 */
export function waitUntilStopped(pid: number) {
  const until = Date.now() + STOP_LIMIT_MS;
  while (threadStates(pid).some((state) => !'TtZX'.includes(state)) && Date.now() < until)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}

/** @returns the letters of proc(5); none for a process that has exited */
function threadStates(pid: number): string[] {
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

/** @returns pid and parent */
function parentsFromProc(): [number, number][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
        return [[Number(name), parent] as [number, number]];
      } catch {
        return []; // It exited in the meantime.
      }
    });
}

function parentsFromPs(): [number, number][] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
}
