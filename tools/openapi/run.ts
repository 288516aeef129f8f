// npm run openapi: the OpenAPI document of this source, and its changes since the last release.
import { loadSource } from '../build/load-source.ts';
import { breakingChanges } from './breaking-changes.ts';
import { release, releasedDocument } from './released.ts';

const usage = `Usage: npm run openapi -- <command>

  print     prints the OpenAPI document, with example origins
  diff      names the changes that break clients of the last release; exit code 1 if there are any
  release   makes the document the last release, after naming what breaks
`;

const [command] = process.argv.slice(2);
const { currentDocument } = await loadSource(new URL('document.ts', import.meta.url), 'openapi');

if (command === 'print') process.stdout.write(`${JSON.stringify(currentDocument(), null, 2)}\n`);
else if (command === 'diff') process.exitCode = diff() > 0 ? 1 : 0;
else if (command === 'release') {
  diff();
  release(currentDocument());
  process.stdout.write('docs/api/released.json written\n');
} else {
  process.stdout.write(usage);
  process.exitCode = command === undefined || command === '--help' ? 0 : 2;
}

/** @returns of breaking changes */
function diff(): number {
  const changes = breakingChanges(releasedDocument(), currentDocument());
  for (const change of changes) process.stdout.write(`breaking: ${change}\n`);
  if (changes.length === 0) process.stdout.write('Nothing breaks clients of the last release.\n');
  return changes.length;
}
