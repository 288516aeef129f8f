#!/usr/bin/env node
// npm run fuzz: calls every declared operation with valid and with invalid input.
//   --calls N   total calls (default 10000)      --seed N   repeats a run
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '10000' }, seed: { type: 'string' } },
});
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const { status } = spawnSync(process.execPath, [jest, 'apps/e2e/src/fuzz'], {
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_OPTIONS: '--experimental-vm-modules --no-warnings',
    FUZZ_CALLS: values.calls,
    ...(values.seed && { FUZZ_SEED: values.seed }),
  },
});
process.exit(status ?? 1);
