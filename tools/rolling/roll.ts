import { setTimeout as delay } from 'node:timers/promises';
import { COPIES, type RollingPlatform } from './platform.ts';
import type { ReleaseTree } from './release-tree.ts';

/** Until HAProxy has seen that a copy is ready. */
const SEEN_MS = 1_000;
const LANES = 2;

/**
 * Replaces all copies by those of another release: the services first, two at a time and one copy of each at a time, then the gateway.
 * @param order reversed for a rollback, which begins with the gateway
 * @param names of the copies; by default all
 */
export async function roll(
  platform: RollingPlatform,
  tree: ReleaseTree,
  order: 'forward' | 'back',
  names = platform.names(),
) {
  const steps = [names.filter((name) => !isGateway(name)), names.filter(isGateway)];
  for (const copies of order === 'forward' ? steps : steps.toReversed()) {
    const waiting = Array.from({ length: copies.length / COPIES }, (_, i) =>
      copies.slice(i * COPIES, (i + 1) * COPIES),
    );
    const lane = async () => {
      for (let service = waiting.shift(); service; service = waiting.shift())
        for (const copy of service) await replace(platform, copy, tree);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
}

async function replace(platform: RollingPlatform, copy: string, tree: ReleaseTree) {
  await platform.copy(copy).stop();
  await platform.startCopy(copy, tree);
  await delay(SEEN_MS);
}

const isGateway = (name: string) => name.startsWith('gateway');
