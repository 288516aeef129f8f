// npm run looks [-- paths]: looks at every state of every page on phone and desktop, light and dark, and takes the pictures of README.md.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopOnSignals } from './children.ts';
import { runJest } from './jest-run.ts';

/** Part of the titles of tests that only look at a page. The journeys of the web application look on their way. */
const TITLES = 'light and dark';

/** @param path a file, or a folder with all below it */
function filesWithLooks(path: string): string[] {
  const files = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
    : [path];
  return files
    .filter((name) => name.endsWith('.e2e.ts'))
    .filter((file) => readFileSync(file, 'utf8').includes('new Looks('));
}

const hasOwnTests = (file: string) => readFileSync(file, 'utf8').includes(TITLES);

/** The pictures of README.md, by their names there. */
const shown: Readonly<Record<string, string>> = {
  'web-send.png': 'web/result-desktop-light.png',
  'web-vault.png': 'web/vault-files-desktop-light.png',
};

/** Copies those that this run has taken: the folder keeps pictures of earlier runs. */
function copyShown(pictures: string, begunMs: number) {
  mkdirSync('docs/pictures', { recursive: true });
  for (const [name, path] of Object.entries(shown)) {
    const taken = join(pictures, path);
    if (existsSync(taken) && statSync(taken).mtimeMs >= begunMs)
      copyFileSync(taken, join('docs/pictures', name));
  }
}

stopOnSignals();
const begunMs = Date.now();
process.env.LOOKS = 'all';
const paths = process.argv.slice(2);
const missing = paths.find((path) => !existsSync(path));
if (missing) {
  process.stderr.write(`There is no file or folder ${missing}.\n`);
  process.exit(2);
}
const files = (paths.length > 0 ? paths : ['apps/e2e/src']).flatMap(filesWithLooks);
const pages = files.filter(hasOwnTests);
const journeys = files.filter((file) => !hasOwnTests(file));
let [passed, failed] = [0, 0];
const run = async (some: readonly string[], options: Parameters<typeof runJest>[1]) => {
  if (some.length === 0) return;
  const outcome = await runJest([...some], options);
  [passed, failed] = [passed + outcome.passed, failed + outcome.failed];
};
await run(pages, { titles: TITLES });
await run(journeys, {});
const pictures = join(tmpdir(), `vaultsvc-pages-${process.getuid?.()}`);
copyShown(pictures, begunMs);
process.stdout.write(`\n  the pictures are in ${pictures}\n\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
