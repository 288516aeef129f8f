import { parseArgs } from 'node:util';
import { randomInt } from 'node:crypto';
import { endRun, startRun } from '../test/test-run.ts';
import { auditRace } from './audit/audit-race.js';
import { clusterRace } from './cluster-races.js';
import { byteRace } from './bytes/byte-races.js';
import { fileRace } from './files/file-races.js';
import { linkRace } from './link-races.js';
import { notificationRace } from './notify/notification-race.js';
import { shareRace } from './notify/share-race.js';
import { patchRace } from './patch-races.js';
import type { Race } from './race.js';
import { refreshRace } from './refresh-races.js';
import { sparkRace } from './spark-races.js';
import { uploadRace } from './upload-races.js';

const races: ReadonlyMap<string, Race> = new Map([
  ['sparks', sparkRace],
  ['cluster', clusterRace],
  ['links', linkRace],
  ['refresh', refreshRace],
  ['patches', patchRace],
  ['uploads', uploadRace],
  ['audit', auditRace],
  ['notifications', notificationRace],
  ['shares', shareRace],
  ['files', fileRace],
  ['bytes', byteRace],
]);
/** Exclusive. */
const SEED_MAX = 1_000_000;

const usage = `Usage: npm run races -- [${[...races.keys()].join(' | ')}]... [--count <races>] [--seed <number>]`;

/**
 * The named races, or all of them.
 * @throws with the usage when an argument is invalid
 */
function readCommand(): { names: readonly string[]; count: number | undefined; seed: number } {
  const { values, positionals } = parseArgs({
    options: { count: { type: 'string' }, seed: { type: 'string' } },
    allowPositionals: true,
  });
  const count = values.count === undefined ? undefined : Number(values.count);
  const seed = Number(values.seed ?? randomInt(SEED_MAX));
  const isCount = count === undefined || (Number.isInteger(count) && count > 0);
  if (!isCount || !Number.isInteger(seed) || !positionals.every((name) => races.has(name)))
    throw new Error(usage);
  return { names: positionals.length > 0 ? positionals : [...races.keys()], count, seed };
}

async function runRace(name: string, count: number | undefined, seed: number): Promise<void> {
  const race = races.get(name) as Race;
  const startedAt = Date.now();
  const reportProgress = (line: string) => process.stderr.write(`${name}: ${line}\n`);
  const { summary, clean } = await race.run(count ?? race.countDefault, reportProgress, seed);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  process.stdout.write(`${name}: ${summary}; ${seconds} s\n`);
  if (!clean) process.exitCode = 1;
}

const { names, count, seed } = readCommand();
await startRun();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endRun().finally(() => process.exit(130)));
try {
  for (const name of names) await runRace(name, count, seed);
} finally {
  await endRun();
}
