// Sparks through the gateway, compared with the bare pipeline and the limits of this machine.
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { StackDescription } from '../../stack/descriptor.ts';
import { withTemporaryStack } from '../../stack/temporary-stack.ts';
import { measureLimits } from '../limits.ts';
import { createServiceProfiler, type ServiceProfiler } from '../profile/service-profiler.ts';
import { say } from '../report.ts';
import { createAndBurn } from '../sparks.ts';
import { startBarePipeline, type BarePipeline } from './bare-pipeline.ts';
import { openEventBacklog } from './event-backlog.ts';
import { measureIdle } from './idle.ts';
import { barePids, productPids } from './process-groups.ts';
import { profileLoads, reportProfiles } from './profiled-load.ts';
import { reportPlatform } from './report.ts';
import { CONCURRENCIES, KIB, measureRounds, ofBothSides, type Side } from './rounds.ts';

const WARM_UP_COUNT = 1_000;

/** `npm run bench -- platform`, the default. `args`: the arguments after the name. */
export async function benchPlatform(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: 'string', default: '2000' },
      rounds: { type: 'string', default: '5' },
      profile: { type: 'string' },
    },
  });
  const options = { count: Number(values.count), rounds: Number(values.rounds) };
  const profiler = values.profile ? createServiceProfiler(values.profile) : undefined;
  try {
    const measured = await withTemporaryStack((stack) => measure(stack, { ...options, profiler }), {
      settings: profiler?.settings,
    });
    reportPlatform(measured);
    if (profiler && measured.profiles) reportProfiles(profiler.service, measured.profiles);
  } finally {
    profiler?.close();
  }
}

interface Options {
  count: number;
  rounds: number;
  profiler: ServiceProfiler | undefined;
}

async function measure(stack: StackDescription, { count, rounds, profiler }: Options) {
  const database = new pg.Client({ connectionString: stack.postgres_url });
  await database.connect();
  const backlog = await openEventBacklog(stack, database);
  try {
    const compared = await measureBothSides({ stack, database, backlog, count, rounds });
    say('measuring the limits of this machine');
    const limits = await measureLimits(stack, { count, concurrency: 32 });
    const idle = await measureIdle(productPids(stack), backlog);
    const profiles = profiler && (await profileLoads(profiler, stack, backlog, count));
    return { ...compared, limits, idle, profiles };
  } finally {
    await backlog.close();
    await database.end();
  }
}

/** The bare pipeline runs only as long as it is measured, so that the product is alone when idle. */
async function measureBothSides(bench: Omit<Parameters<typeof measureRounds>[0], 'sides'>) {
  const bare = await startBarePipeline(bench.stack);
  try {
    const sides = sidesOf(bench.stack, bare);
    await warmUp(sides);
    await bench.backlog.wait();
    return { records: await measureRounds({ ...bench, sides }), big: await measureBigSparks(sides) };
  } finally {
    bare.stop();
  }
}

function sidesOf(stack: StackDescription, bare: BarePipeline): Side[] {
  return [
    { name: 'bare', origin: bare.origin, apiKey: 'bench', pids: barePids(stack, bare) },
    { name: 'ours', origin: stack.api_url, apiKey: stack.account.api_key ?? '', pids: productPids(stack) },
  ];
}

/** Compiles the hot functions and opens the connections of the pools. */
async function warmUp(sides: Side[]) {
  say('warming up');
  for (const { origin, apiKey } of sides)
    for (const concurrency of CONCURRENCIES.slice(1))
      await createAndBurn(origin, apiKey, { count: WARM_UP_COUNT, concurrency, bytes: KIB });
}

async function measureBigSparks(sides: Side[]) {
  say('256 KB Sparks, concurrency 8');
  return ofBothSides(sides, ({ origin, apiKey }) =>
    createAndBurn(origin, apiKey, { count: 400, concurrency: 8, bytes: 250_000 }),
  );
}
