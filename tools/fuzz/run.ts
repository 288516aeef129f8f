// npm run fuzz: calls every declared operation with valid and invalid input, then runs sequences of calls by two accounts.
//   --calls N   calls with arbitrary input (default 10000; 0: none)
//   --steps N   steps of sequences (default 10000; 0: none). Each makes one to some twenty calls, over HTTP or on the wire
//   --seed N    repeats a run
//   --path P    repeats one sequence of this seed, from the report of its failure
// With one of --calls and --steps the other part is left out.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    calls: { type: 'string' },
    steps: { type: 'string' },
    seed: { type: 'string' },
    path: { type: 'string' },
  },
});
const isChosen = values.calls !== undefined || values.steps !== undefined || values.path !== undefined;
const calls = Number(values.calls ?? (isChosen ? 0 : 10_000));
const steps = Number(values.steps ?? (isChosen && values.path === undefined ? 0 : 10_000));
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');

function runJest(args: string[], settings: Record<string, string>) {
  const { status } = spawnSync(process.execPath, [jest, ...args], {
    stdio: 'inherit',
    env: {
      ...process.env,
      NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
      ...settings,
      ...(values.seed && { FUZZ_SEED: values.seed }),
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
