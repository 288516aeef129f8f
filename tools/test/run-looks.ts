// npm run looks [-- paths]: looks at every state of every page on phone and desktop, light and dark.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopOnSignals } from './children.ts';
import { runJest } from './jest-run.ts';

/** Part of the titles of tests that look at a page. */
const TITLES = 'light and dark';

function filesWithLooks(): string[] {
  const files = readdirSync('apps/e2e/src', { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.e2e.ts'))
    .map((name) => join('apps/e2e/src', name))
    .filter((file) => readFileSync(file, 'utf8').includes(TITLES));
}

stopOnSignals();
process.env.LOOKS = 'all';
const paths = process.argv.slice(2);
const { passed, failed } = await runJest(paths.length > 0 ? paths : filesWithLooks(), { titles: TITLES });
const pictures = join(tmpdir(), `vaultsvc-pages-${process.getuid?.()}`);
process.stdout.write(`\n  the pictures are in ${pictures}\n\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
