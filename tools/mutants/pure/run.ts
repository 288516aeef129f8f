import { parseArgs } from 'node:util';
import { Workshop } from '../workshop.ts';
import { argued } from './argued.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import { parts, type Part } from './parts.ts';
import { runStryker } from './stryker.ts';

const usage = `Plants faults in code without servers by StrykerJS, and runs the specs beside it.

  npm run mutants:pure                     all parts, for at most an hour
  npm run mutants:pure -- crypto           the parts whose names start so, of: ${parts.map(({ name }) => name).join(', ')}
  npm run mutants:pure -- --minutes 20
  npm run mutants:pure -- --seed 2         of slow parts another third of the lines (1 unless told)

Fails when a part is not finished, when less than 85 % of the mutants of a part are killed, or more than 5 % are argued to be equivalent
(tools/mutants/pure/argued.ts).
`;

const KILLED_MIN = 0.85;
const ARGUED_MAX = 0.05;

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowPositionals: true,
});

async function main() {
  if (values.help) return void process.stdout.write(usage);
  if (!/^\d{1,4}$/.test(values.minutes))
    throw new Error(`--minutes is a whole number, not ${values.minutes}`);
  if (!/^\d{1,4}$/.test(values.seed)) throw new Error(`--seed is a whole number, not ${values.seed}`);
  const wanted = parts.filter(
    ({ name }) => positionals.length === 0 || positionals.some((start) => name.startsWith(start)),
  );
  if (wanted.length === 0) throw new Error(`No part is named ${positionals.join(' ')}`);
  const ends = new AbortController();
  const timer = setTimeout(() => ends.abort(), Number(values.minutes) * 60_000);
  process.once('SIGINT', () => ends.abort()).once('SIGTERM', () => ends.abort());
  try {
    await tryParts(wanted, ends.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function tryParts(wanted: readonly Part[], signal: AbortSignal) {
  const workshop = new Workshop();
  try {
    for (const part of wanted) {
      const report = signal.aborted
        ? undefined
        : await runStryker(part, workshop.folder, { seed: Number(values.seed), signal });
      if (!report) process.exitCode = 1;
      console.log(report ? judged(part, outcomeOf(report, argued)) : `${part.name.padEnd(36)} not finished`);
    }
  } finally {
    await workshop.close();
  }
}

/** The lines about a part. Sets the exit code when it misses a bound. */
function judged({ name }: Part, { killed, argued: equivalent, survivors, wrongArguments }: Outcome): string {
  const all = killed + equivalent + survivors.length;
  const asked = all - equivalent;
  if (killed < KILLED_MIN * asked || equivalent > ARGUED_MAX * all || wrongArguments.length > 0)
    process.exitCode = 1;
  return [
    `${name.padEnd(36)} ${killed} of ${asked} killed (${((100 * killed) / Math.max(1, asked)).toFixed(1)} %), ${equivalent} argued`,
    ...survivors.map((line) => `   ${line}`),
    ...wrongArguments.map((line) => `   argued, but killed or no mutant: ${line}`),
  ].join('\n');
}

await main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
