// `docker run` of the runbook without Docker: the image is a folder that tools/image/layout.ts has made. As in a container, the program
// gets the variables of --env-file and no others.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** Options end at the image; those behind it belong to the program. */
const [command, ...given] = process.argv.slice(2);
const { tokens } = parseArgs({
  args: given,
  options: {
    rm: { type: 'boolean' },
    interactive: { type: 'boolean' },
    'env-file': { type: 'string' },
  },
  allowPositionals: true,
  strict: false,
  tokens: true,
});
const image = tokens.find(({ kind }) => kind === 'positional');
if (command !== 'run' || image?.kind !== 'positional') throw new Error('Usage: docker run [options] IMAGE …');
const options = tokens.flatMap((token) =>
  token.kind === 'option' && token.index < image.index ? [token] : [],
);
const unknown = options.find(({ name }) => !['rm', 'interactive', 'env-file'].includes(name));
if (unknown) throw new Error(`docker run knows no ${unknown.rawName} here`);
const valueOf = (name: string) => options.find((option) => option.name === name)?.value;
const file = valueOf('env-file');
const lines = file ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
const env = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
const { status } = spawnSync(
  process.execPath,
  [join(image.value, 'run.ts'), ...given.slice(image.index + 1)],
  {
    env: { NODE_ENV: 'production', ...env },
    // Without --interactive a container has no standard input.
    stdio: [options.some(({ name }) => name === 'interactive') ? 'inherit' : 'ignore', 'inherit', 'inherit'],
  },
);
process.exitCode = status ?? 1;
