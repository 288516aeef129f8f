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
