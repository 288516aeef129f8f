// Profiles a service under the loads of create and of burn, after the rounds: a profiler slows its service down.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say, table } from '../report.mjs';
import { flameGraphPage } from '../profile/flame-graph.mjs';
import { foldProfile, topFrames } from '../profile/folded-profile.mjs';
import { frameNamer } from '../profile/bundle-sources.mjs';
import { sparksClient } from '../sparks.mjs';
import { KIB } from './rounds.mjs';

const CONCURRENCY = 32;
const FRAMES = 25;

/**
 * @param {import('../profile/service-profiler.mjs').ServiceProfiler} profiler
 * @param {{ api_url: string, account: { api_key: string } }} stack
 * @param {{ wait: () => Promise<void> }} backlog
 * @param {number} count
 * @returns {Promise<Record<string, import('../profile/folded-profile.mjs').FoldedProfile>>} by load
 */
export async function profileLoads(profiler, stack, backlog, count) {
  say(`profiling ${profiler.service}, concurrency ${CONCURRENCY}: ${count} Sparks`);
  const client = sparksClient(stack.api_url, stack.account.api_key, CONCURRENCY);
  const recorded = (load) =>
    profiler.record(async () => {
      await load();
      await backlog.wait();
    });
  try {
    let created;
    const create = await recorded(async () => (created = await client.create({ count, bytes: KIB })));
    const burn = await recorded(() => client.burn(created));
    return { create: foldProfile(create, frameNamer()), burn: foldProfile(burn, frameNamer()) };
  } finally {
    client.close();
  }
}

/** Prints the frames with the most time of their own, writes the flame graphs and prints their path. */
export function reportProfiles(service, profiles) {
  for (const [step, { root, idle }] of Object.entries(profiles)) {
    const busy = ((100 * root.total) / (root.total + idle)).toFixed(0);
    table(
      `${service} under ${step}, ${CONCURRENCY} callers: time of the frame itself, of the ${busy} % of the time that it worked`,
      ['function, source (line of the bundle)', '%'],
      topFrames(root, FRAMES).map(({ name, share }) => [name, (100 * share).toFixed(1)]),
    );
  }
  const path = join(tmpdir(), `vaultsvc-profile-${service}-${process.pid}.html`);
  writeFileSync(path, flameGraphPage(`${service}, ${CONCURRENCY} callers`, profiles));
  process.stdout.write(`\nFlame graphs of ${service}: ${path}\n`);
}
