#!/usr/bin/env node
// npm run bench [-- <name> [options]]: figures of this run on this machine; only the ratios travel.
import { benchEntropy } from './entropy.mjs';
import { benchForge } from './forge/bench.mjs';
import { benchPlatform } from './platform.mjs';
import { benchStructured } from './structured/bench.mjs';

const benches = new Map([
  [
    'platform',
    {
      run: benchPlatform,
      help: [
        'Sparks through the gateway, next to a bare pipeline and the limits of this machine; runs without a name',
        '--count N       Sparks per round at concurrency 32 (6000; a tenth of it at concurrency 1)',
        '--rounds N      rounds at concurrency 32, the bare pipeline and ours in turn (3)',
      ],
    },
  ],
  [
    'forge',
    {
      run: benchForge,
      help: [
        'encrypted uploads and downloads, next to the plain tus server and the limits of this machine',
        '--megabytes N   of the file of one client; of eight clients each has a fifth of it (500)',
        '--rounds N      the plain server and Forge in turn (3)',
        '--uploads N     at once, while the memory of Forge is watched (50)',
      ],
    },
  ],
  [
    'structured',
    {
      run: benchStructured,
      help: [
        'structured ingots of 10,000 keys, and one retrieval of 100 against single ones, next to bare ciphers and SQL',
        '--rounds N      of everything (5)',
        '--bytes N       of a value (64)',
      ],
    },
  ],
  [
    'entropy',
    {
      run: benchEntropy,
      help: [
        'random data in every format, next to bare GenerateRandom of the local KMS',
        '--count N       calls of each format at concurrency 32 (2000)',
      ],
    },
  ],
]);

function usage() {
  const lines = [...benches].flatMap(([name, { help }]) => [
    `  ${name.padEnd(12)}${help[0]}`,
    ...help.slice(1).map((line) => `${' '.repeat(16)}${line}`),
  ]);
  return `Usage: npm run bench [-- <name> [options]]\n${lines.join('\n')}\n`;
}

/** The name may be left out, options or not. */
function readCommand([first = 'platform', ...rest]) {
  return first.startsWith('-') ? { name: 'platform', args: [first, ...rest] } : { name: first, args: rest };
}

async function main(given) {
  if (given.includes('--help')) return void process.stdout.write(usage());
  const { name, args } = readCommand(given);
  const bench = benches.get(name);
  if (!bench) throw new Error(`There is no bench ${name}.\n${usage()}`);
  await bench.run(args);
}

/** What went wrong, and what lay under it. */
function reasonsOf(error) {
  return error === undefined ? [] : [String(error.message ?? error), ...reasonsOf(error.cause)];
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`\n${reasonsOf(error).join('\nbecause ')}\n`);
  process.exit(1);
}
