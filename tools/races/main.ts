import { parseArgs } from 'node:util';
import { endRun, startRun } from '../test/test-run.mjs';
import { linkRace } from './link-races.js';
import { patchRace } from './patch-races.js';
import type { Race } from './race.js';
import { refreshRace } from './refresh-races.js';
import { sparkRace } from './spark-races.js';
import { uploadRace } from './upload-races.js';

const races: ReadonlyMap<string, Race> = new Map([
  ['sparks', sparkRace],
  ['links', linkRace],
  ['refresh', refreshRace],
  ['patches', patchRace],
  ['uploads', uploadRace],
]);
const usage = `Usage: npm run races -- [${[...races.keys()].join(' | ')}]... [--count <races>]`;

/**
 * The named races, or all of them.
 * @throws with the usage when an argument is invalid
 */
function readCommand(): { names: readonly string[]; count: number | undefined } {
  const { values, positionals } = parseArgs({
    options: { count: { type: 'string' } },
    allowPositionals: true,
  });
  const count = values.count === undefined ? undefined : Number(values.count);
  const isCount = count === undefined || (Number.isInteger(count) && count > 0);
  if (!isCount || !positionals.every((name) => races.has(name))) throw new Error(usage);
  return { names: positionals.length > 0 ? positionals : [...races.keys()], count };
}

async function runRace(name: string, count: number | undefined): Promise<void> {
  const race = races.get(name) as Race;
  const startedAt = Date.now();
  const reportProgress = (line: string) => process.stderr.write(`${name}: ${line}\n`);
  const { summary, clean } = await race.run(count ?? race.countDefault, reportProgress);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  process.stdout.write(`${name}: ${summary}; ${seconds} s\n`);
  if (!clean) process.exitCode = 1;
}

const { names, count } = readCommand();
await startRun();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endRun().finally(() => process.exit(130)));
try {
  for (const name of names) await runRace(name, count);
} finally {
  await endRun();
}
