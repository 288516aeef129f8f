import { parseArgs } from 'node:util';
import { endRun, startRun } from '../test/test-run.mjs';
import { isClean, runRaces, summaryOf } from './races.js';

const { values } = parseArgs({ options: { count: { type: 'string', default: '10000' } } });
const count = Number(values.count);
if (!Number.isInteger(count) || count < 1) throw new Error('Usage: npm run races -- [--count <races>]');

const began = Date.now();
await startRun();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endRun().finally(() => process.exit(130)));
try {
  const report = await runRaces({
    count,
    onProgress: (done, { doubleReveals, kills }) =>
      process.stderr.write(`${done} of ${count} races, ${kills} kills, ${doubleReveals} double reveals\n`),
  });
  process.stdout.write(`${summaryOf(report)} in ${Math.round((Date.now() - began) / 1_000)} s\n`);
  process.exitCode = isClean(report) ? 0 : 1;
} finally {
  await endRun();
}
