import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from './sources.mjs';
import { titlesIn } from './titles.mjs';

const securityPage = 'SECURITY.md';

/** `[words of a title](path of its test)`. */
const proof = /\[([^\]]+)\]\(([^)\s]+\.(?:spec|e2e)\.ts)\)/g;

/**
 * Promises of SECURITY.md that no test holds: rows of its table of promises without a link to a test, and links whose words
 * are not in a title of that test.
 * @param {string} folder of the page
 * @param {string} tests folder of the tests
 * @returns {string[]} each as `path:line: problem`
 */
export function unprovenPromises(folder, tests = folder) {
  const lines = readFileSync(join(folder, securityPage), 'utf8').split('\n');
  return promisesIn(lines).flatMap(({ line, text }) =>
    problemsOf(tests, text).map((problem) => `${securityPage}:${line}: ${problem}`),
  );
}

/**
 * The rows of the table whose head begins with `promise`.
 * @param {readonly string[]} lines
 */
function promisesIn(lines) {
  const head = lines.findIndex((line) => line.startsWith('| promise'));
  const first = head + 2;
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  return lines.slice(first, first + length).map((text, index) => ({ line: first + index + 1, text }));
}

/**
 * @param {string} workspace
 * @param {string} text
 */
function problemsOf(workspace, text) {
  const proofs = [...text.matchAll(proof)];
  if (proofs.length === 0) return ['a promise without a test'];
  return proofs
    .filter(([, words = '', path = '']) => !holds(workspace, path, words))
    .map(([, words, path]) => `${path} has no test "${words}"`);
}

/**
 * @param {string} workspace
 * @param {string} path
 * @param {string} words
 */
function holds(workspace, path, words) {
  if (!existsSync(join(workspace, path))) return false;
  return titlesIn(parse(path)).some(({ groups, guarantee }) =>
    [...groups, guarantee].join(' ').includes(words),
  );
}
