import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from './sources.ts';
import { titlesIn } from './titles.ts';

const securityPage = 'SECURITY.md';

/** `[words of a title](path of its test)`. */
const proof = /\[([^\]]+)\]\(([^)\s]+\.(?:spec|e2e)\.ts)\)/g;

/**
 * Promises of SECURITY.md that no test holds: rows of its table of promises without a link to a test, and links whose words
 * are not in a title of that test.
 * @param folder of the page
 * @param tests folder of the tests
 * @returns each as `path:line: problem`
 */
export function unprovenPromises(folder: string, tests: string = folder): string[] {
  const lines = readFileSync(join(folder, securityPage), 'utf8').split('\n');
  return promisesIn(lines).flatMap(({ line, text }) =>
    problemsOf(tests, text).map((problem) => `${securityPage}:${line}: ${problem}`),
  );
}

/** The rows of the table whose head begins with `promise`. */
function promisesIn(lines: readonly string[]) {
  const head = lines.findIndex((line) => line.startsWith('| promise'));
  const first = head + 2;
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  return lines.slice(first, first + length).map((text, index) => ({ line: first + index + 1, text }));
}

function problemsOf(workspace: string, text: string) {
  const proofs = [...text.matchAll(proof)];
  if (proofs.length === 0) return ['a promise without a test'];
  return proofs
    .filter(([, words = '', path = '']) => !holds(workspace, path, words))
    .map(([, words, path]) => `${path} has no test "${words}"`);
}

function holds(workspace: string, path: string, words: string) {
  if (!existsSync(join(workspace, path))) return false;
  return titlesIn(parse(path)).some(({ groups, guarantee }) =>
    [...groups, guarantee].join(' ').includes(words),
  );
}
