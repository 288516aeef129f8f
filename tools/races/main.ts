import { randomInt } from 'node:crypto';
import { parseCommandLine, UsageError } from '../stack/usage.ts';
import { endRun, startRun } from '../test/test-run.ts';
import type { Race } from './race.js';
import { races } from './races.js';

/** Exclusive. */
const SEED_MAX = 1_000_000;

const usage = `Usage: npm run races -- [name...] [--count N] [--seed N]

  --count N      number of races, operations or byte strings; each race has its own default
  --seed N       repeats what audit, bytes, files and notifications choose at random
  --help, -h     prints this help

Runs the named races, or all. Exits with 1 if one of these does not hold:

${[...races].map(([name, { help }]) => `  ${name.padEnd(14)} ${help}`).join('\n')}
`;

interface Command {
  readonly names: readonly string[];
  readonly count: number | undefined;
  readonly seed: number;
}

/**
 * The named races, or all of them; undefined for --help.
 * @throws UsageError
 */
function readCommand(): Command | undefined {
  const config = {
    options: {
      count: { type: 'string' },
      seed: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  } as const;
  const { values, positionals } = parseCommandLine(config, 'npm run races -- --help');
  if (values.help) return undefined;
  const count = values.count === undefined ? undefined : Number(values.count);
  const seed = Number(values.seed ?? randomInt(SEED_MAX));
  if (count !== undefined && !(Number.isInteger(count) && count > 0))
    throw new UsageError(`--count is a number from 1, not ${values.count}.`);
  if (!Number.isInteger(seed)) throw new UsageError(`--seed is a whole number, not ${values.seed}.`);
  const unknown = positionals.find((name) => !races.has(name));
  if (unknown !== undefined)
    throw new UsageError(`There is no race named ${unknown}: npm run races -- --help lists them.`);
  return { names: positionals.length > 0 ? positionals : [...races.keys()], count, seed };
}

async function runRace(name: string, count: number | undefined, seed: number): Promise<void> {
  const { race } = races.get(name) as { race: Race };
  const startedAt = Date.now();
  const reportProgress = (line: string) => process.stderr.write(`${name}: ${line}\n`);
  const { summary, clean } = await race.run(count ?? race.countDefault, reportProgress, seed);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  process.stdout.write(`${name}: ${summary}; ${seconds} s\n`);
  if (!clean) process.exitCode = 1;
}

async function run({ names, count, seed }: Command): Promise<void> {
  await startRun();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void endRun().finally(() => process.exit(130)));
  try {
    for (const name of names) await runRace(name, count, seed);
  } finally {
    await endRun();
  }
}

let command: Command | undefined;
try {
  command = readCommand();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(2);
}
if (command) await run(command);
else process.stdout.write(usage);
