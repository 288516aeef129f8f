// npm run fuzz: calls every declared operation with valid and invalid input, then runs sequences of calls by two accounts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCommandLine, UsageError } from '../stack/usage.ts';

const usage = `Calls every declared operation with valid and invalid input, then runs sequences of calls by two accounts.

  npm run fuzz                  10,000 calls and 10,000 steps of sequences, of a new seed
  npm run fuzz -- --calls N     the calls alone
  npm run fuzz -- --steps N     the sequences alone; a step makes one to some twenty calls, over HTTP or on the wire
  npm run fuzz -- --seed N      repeats a run
  npm run fuzz -- --seed N --path P
                                repeats one sequence, by the report of its failure
  npm run fuzz -- --help        prints this help

Exit code: 0 no fault, 1 a fault was found, 2 the command line is wrong.
`;

function readOptions() {
  const options = {
    calls: { type: 'string' },
    steps: { type: 'string' },
    seed: { type: 'string' },
    path: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  const { values } = parseCommandLine({ options }, 'npm run fuzz -- --help');
  // Ten digits, because seeds are below 2 ** 32.
  for (const name of ['calls', 'steps', 'seed'] as const)
    if (values[name] !== undefined && !/^\d{1,10}$/.test(values[name]))
      throw new UsageError(`--${name} is a whole number, not ${values[name]}.`);
  if (values.path !== undefined && values.seed === undefined)
    throw new UsageError('--path needs the --seed of its report.');
  return values;
}

let values: ReturnType<typeof readOptions>;
try {
  values = readOptions();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(2);
}
if (values.help) {
  process.stdout.write(usage);
  process.exit();
}
const isChosen = values.calls !== undefined || values.steps !== undefined || values.path !== undefined;
const calls = Number(values.calls ?? (isChosen ? 0 : 10_000));
/** That of the tests is always the same; here another one is drawn. */
const seed = values.seed ?? String(Date.now() % 2 ** 31);
const steps = Number(values.steps ?? (isChosen && values.path === undefined ? 0 : 10_000));
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');

function runJest(args: string[], settings: Record<string, string>) {
  const { status } = spawnSync(process.execPath, [jest, ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
      ...settings,
      FUZZ_SEED: seed,
    },
  });
  return status ?? 1;
}

function runSequences() {
  const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-fuzz-'));
  const figures = join(folder, 'figures.json');
  try {
    const settings = { FUZZ_STEPS: String(steps), FUZZ_FIGURES: figures };
    const path = values.path && { FUZZ_PATH: values.path };
    const status = runJest(['apps/e2e/src/fuzz/sequences', '--selectProjects', 'spec'], {
      ...settings,
      ...path,
    });
    process.stdout.write(`${readFileSync(figures, 'utf8')}\n`);
    return status;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ofCalls =
  calls > 0 ? runJest(['apps/e2e/src/fuzz', '--selectProjects', 'e2e'], { FUZZ_CALLS: String(calls) }) : 0;
const ofSteps = steps > 0 ? runSequences() : 0;
process.exit(ofCalls || ofSteps);
