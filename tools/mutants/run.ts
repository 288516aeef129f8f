import { parseArgs } from 'node:util';
import { draw } from './draw.ts';
import { Results } from './results.ts';
import { kinds, nameOf, type Site } from './site.ts';
import { findSites } from './sites.ts';
import { specsOf } from './specs.ts';
import { Workshop } from './workshop.ts';

const usage = `Plants faults at places that a seed draws, and runs the specs that name the requirement which each breaks.

  npm run mutants                          100 mutants of a new seed, for at most an hour
  npm run mutants -- --seed 7              the mutants of a seed; what an earlier run has tried is not tried again
  npm run mutants -- --count 300 --minutes 240
  npm run mutants -- --kind where,event    these kinds only: ${kinds.join(', ')}
  npm run mutants -- --path apps/sparks    sites below a path only
  npm run mutants -- --at-once 3           so many copies in which mutants are tried side by side, 2 unless told
  npm run mutants -- --list                prints the sites and their specs, and tries none

A mutant is planted in a copy of the committed state. Ctrl-C keeps the results; the same seed goes on.
`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '60' },
    kind: { type: 'string' },
    path: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '2' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

/** @throws Error that says what a number may be */
function numberOf(name: 'seed' | 'count' | 'minutes' | 'at-once', otherwise: number): number {
  const text = values[name] ?? String(otherwise);
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} is a whole number, not ${text}`);
}

function isWanted({ kind, path }: Site): boolean {
  const wanted = values.kind?.split(',') ?? kinds;
  return (wanted as readonly string[]).includes(kind) && path.startsWith(values.path);
}

async function main() {
  if (values.help) return void process.stdout.write(usage);
  const seed = numberOf('seed', Date.now() % 1_000_000);
  const until = Date.now() + numberOf('minutes', 60) * 60_000;
  const sites = findSites().filter(isWanted);
  const specs = specsOf(sites);
  const tryable = sites.filter((site) => (specs.get(site) ?? []).length > 0);
  const drawn = draw(tryable, numberOf('count', 100), seed);
  console.log(
    `Seed ${seed}: ${drawn.length} of ${tryable.length} sites; ${sites.length - tryable.length} have no spec.`,
  );
  if (values.list) return drawn.forEach((site) => console.log(nameOf(site), site.ids, specs.get(site)));
  const results = new Results(seed);
  await tryAll(drawn, { results, until, specsOf: (site) => specs.get(site) ?? [] });
  console.log(`\n${results.report(drawn)}`);
}

async function tryAll(
  drawn: readonly Site[],
  { results, until, specsOf }: { results: Results; until: number; specsOf: (site: Site) => string[] },
) {
  const left = drawn.filter((site) => !results.has(site));
  const queue = left.entries();
  const workshops = Array.from(
    { length: Math.min(left.length, numberOf('at-once', 2)) },
    () => new Workshop(),
  );
  let isInterrupted = false;
  const close = () => Promise.all(workshops.map((workshop) => workshop.close()));
  const interrupt = () => ((isInterrupted = true), void close());
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  const work = async (workshop: Workshop) => {
    for (const [i, site] of queue) {
      const verdict = await workshop.try(site, specsOf(site));
      if (isInterrupted) return;
      results.record(site, { verdict, specs: specsOf(site) });
      console.log(`${String(i + 1).padStart(4)} of ${left.length}  ${verdict.padEnd(9)} ${nameOf(site)}`);
      if (Date.now() > until) return;
    }
  };
  try {
    await Promise.all(workshops.map(work));
  } catch (error) {
    if (!isInterrupted) throw error;
  } finally {
    await close();
  }
}

await main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
