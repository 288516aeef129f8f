// npm run rolling: releases and faults under traffic, two copies of each service behind HAProxy, in at most ten minutes.
import { parseArgs } from 'node:util';
import pg from 'pg';
import { faults, reasonsOf, tryFault } from './faults.ts';
import { RollingPlatform } from './platform.ts';
import { finalized, lastRelease, ownTree, type ReleaseTree } from './release-tree.ts';
import { roll } from './roll.ts';
import { Traffic } from './traffic.ts';

const usage = `Rolls the last release forward to this tree, back, and forward again under traffic, then to its own forms, and breaks one part after the other.

  npm run rolling                  all, with 100 requests a second
  npm run rolling -- --only roll   the releases alone, or the faults alone: --only faults
  npm run rolling -- --rate 50     requests per second
  npm run rolling -- --same        this tree twice, instead of the last release
`;

const LIMIT_MS = 600_000;
const REQUESTS_MIN = 20_000;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rate: { type: 'string', default: '100' },
    same: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const begunAt = performance.now();
const problems: string[] = [];

function say(text: string) {
  process.stdout.write(
    `${String(Math.round((performance.now() - begunAt) / 1_000)).padStart(4)} s  ${text}\n`,
  );
}

async function rollAll(platform: RollingPlatform, traffic: Traffic, from: ReleaseTree, to: ReleaseTree) {
  await platform.migrate(to);
  say(`migrated by ${to.name}, while ${from.name} answers`);
  for (const [tree, order, name] of [
    [to, 'forward', to.name],
    [from, 'back', from.name],
    [to, 'forward', to.name],
    [finalized(to), 'forward', 'the same with OLDEST_RELEASE=0.2'],
  ] as const) {
    const { calls, failures } = await traffic.during(() => roll(platform, tree, order));
    say(`rolled ${order} to ${name}: ${failures.length} of ${calls} failed  ${reasonsOf(failures)}`);
  }
  while (traffic.calls < REQUESTS_MIN && performance.now() - begunAt < LIMIT_MS / 2)
    await traffic.during(() => new Promise((resolve) => setTimeout(resolve, 1_000)));
  say(`${traffic.failures.length} of ${traffic.calls} failed in rolling`);
  if (traffic.failures.length > 0) problems.push(`${traffic.failures.length} calls failed in rolling`);
}

async function tryAll(platform: RollingPlatform, traffic: Traffic) {
  for (const fault of faults) {
    if (performance.now() - begunAt > LIMIT_MS - 30_000)
      return void problems.push(`no time for ${fault.name}`);
    const { calls, failures, slowestMs, healthyMs, ...report } = await tryFault(platform, traffic, fault);
    const times = `slowest ${Math.round(slowestMs)} ms, over after ${Math.round(healthyMs)} ms`;
    say(`${fault.name}: ${failures.length} of ${calls} failed, ${times}  ${reasonsOf(failures)}`);
    problems.push(...report.problems.map((problem) => `${fault.name}: ${problem}`));
  }
}

/** No Spark was lost that was acknowledged, and none was made that nobody asked for. */
async function verify(platform: RollingPlatform, traffic: Traffic) {
  await traffic.stop();
  const { left, lost } = await traffic.readRest();
  say(`${left} Sparks were left to read; ${lost} of them lost`);
  if (lost > 0) problems.push(`${lost} acknowledged Sparks lost`);
  const client = new pg.Client({ connectionString: platform.postgresUrl });
  await client.connect();
  const { rows } = await client.query<{ made: number }>(countSparks);
  await client.end();
  const made = Number(rows[0]?.made);
  say(`${made} Sparks for ${traffic.creates} requests`);
  if (made > traffic.creates) problems.push(`${made - traffic.creates} creates applied twice`);
}

const countSparks = `
  SELECT (SELECT count(*) FROM sparks.sparks) + (SELECT count(*) FROM sparks.spent_sparks) AS made`;

async function main() {
  if (values.help) return void process.stdout.write(usage);
  say('building');
  const own = await ownTree();
  const from = values.same || values.only === 'faults' ? own : await lastRelease();
  const platform = new RollingPlatform();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      say(`stopping after ${signal}`);
      void platform.stop().finally(() => process.exit(1));
    });
  try {
    say('starting the servers');
    await platform.startServers();
    await platform.migrate(from);
    const apiKey = await platform.bootstrap(from);
    await platform.startServices(from);
    say(`two copies of each service of ${from.name} are ready`);
    const traffic = new Traffic(platform.origin, apiKey, Number(values.rate));
    if (values.only !== 'faults') await rollAll(platform, traffic, from, own);
    if (values.only !== 'roll') await tryAll(platform, traffic);
    await verify(platform, traffic);
  } finally {
    await platform.stop();
    from.remove();
  }
  say(problems.length === 0 ? 'all bounds kept' : `beyond their bounds:\n  ${problems.join('\n  ')}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

await main();
process.exit();
