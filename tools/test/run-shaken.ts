// npm run test:shaken [-- paths]: the tests while processes of the run pause at random, to find flaky ones, with other random values.
//   npm run test:shaken -- --seed 7 apps/vaults     the same pauses again, as far as the same processes run
import { parseArgs } from 'node:util';
import { stopOnSignals } from './children.ts';
import { runJest } from './jest-run.ts';
import { Shaker } from './shaker.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isSafeInteger(seed)) throw new Error(`--seed must be an integer, not ${values.seed}`);

// In other runs they are 1: a run says what a change did.
for (const name of ['PROPERTY_SEED', 'FUZZ_SEED', 'OWNERS_SEED']) process.env[name] ??= String(seed);

stopOnSignals();
process.stdout.write(`  seed    ${seed}\n`);
const shaker = new Shaker(seed);
const { passed, failed } = await runJest(positionals, { onStart: (pid) => shaker.start(pid) });
const pauses = await shaker.stop();
process.stdout.write(`\n  ${pauses} pauses, seed ${seed}\n\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
