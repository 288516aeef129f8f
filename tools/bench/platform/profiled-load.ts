// Profiles a service under the loads of create and of burn, after the rounds: a profiler slows its service down.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StackDescription } from '../../stack/descriptor.ts';
import type { ServiceProfiler } from '../profile/service-profiler.ts';
import { say, table } from '../report.ts';
import { flameGraphPage } from '../profile/flame-graph.ts';
import { foldProfile, topFrames, type FoldedProfile } from '../profile/folded-profile.ts';
import { frameNamer } from '../profile/bundle-sources.ts';
import { sparksClient, type CreatedSparks } from '../sparks.ts';
import { KIB } from './rounds.ts';

const CONCURRENCY = 32;
const FRAMES = 25;

/** @returns by load */
export async function profileLoads(
  profiler: ServiceProfiler,
  stack: StackDescription,
  backlog: { wait: () => Promise<void> },
  count: number,
): Promise<Record<string, FoldedProfile>> {
  say(`profiling ${profiler.service}, concurrency ${CONCURRENCY}: ${count} Sparks`);
  const client = sparksClient(stack.api_url, stack.account.api_key ?? '', CONCURRENCY);
  const recorded = (load: () => Promise<unknown>) =>
    profiler.record(async () => {
      await load();
      await backlog.wait();
    });
  try {
    let created: CreatedSparks | undefined;
    const create = await recorded(async () => (created = await client.create({ count, bytes: KIB })));
    const burn = await recorded(() => client.burn(created ?? { results: [] }));
    return { create: foldProfile(create, frameNamer()), burn: foldProfile(burn, frameNamer()) };
  } finally {
    client.close();
  }
}

/** Prints the frames with the most time of their own, writes the flame graphs and prints their path. */
export function reportProfiles(service: string, profiles: Record<string, FoldedProfile>) {
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
