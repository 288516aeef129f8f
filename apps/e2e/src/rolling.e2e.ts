import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faults, killOf, tryFault } from '../../../tools/rolling/faults.ts';
import { RollingPlatform } from '../../../tools/rolling/platform.ts';
import { finalized, ownTree } from '../../../tools/rolling/release-tree.ts';
import { roll } from '../../../tools/rolling/roll.ts';
import { Traffic } from '../../../tools/rolling/traffic.ts';

const PER_SECOND = 20;
const OBSERVED_MS = 3_000;
const reasons = ({ failures }: { failures: readonly { reason: string }[] }) =>
  failures.map(({ reason }) => reason);

let platform: RollingPlatform;
let traffic: Traffic;
let tree: Awaited<ReturnType<typeof ownTree>>;

/** The short form of `npm run rolling`: this tree alone, and the services that create and burn Sparks. */
beforeAll(async () => {
  tree = await ownTree();
  // A pause of Redis on a busy machine is no failure of a release; a Redis that died closes its connections.
  platform = new RollingPlatform(['auth', 'sparks', 'reporting', 'gateway'], { REDIS_ANSWER_MS: '10000' });
  await platform.startServers();
  await platform.migrate(tree);
  const apiKey = await platform.bootstrap(tree);
  await platform.startServices(tree);
  traffic = new Traffic(platform.origin, apiKey, PER_SECOND);
}, 300_000);
afterAll(() => platform.stop());

describe('MISC-01: two copies of each service behind HAProxy', () => {
  it('are replaced one after the other by copies that write the forms of 0.2, without a failed call', async () => {
    const names = platform.names().filter((name) => /^(sparks|gateway)/.test(name));
    const outcome = await traffic.during(() => roll(platform, finalized(tree), 'forward', names));
    expect(outcome.calls).toBeGreaterThan(100);
    expect(reasons(outcome)).toEqual([]);
  }, 120_000);

  it('lose at most the calls that ran when a copy of sparks was killed, and three until that was noticed', async () => {
    const outcome = await tryFault(platform, traffic, killOf('sparks'), OBSERVED_MS);
    expect(reasons(outcome).length).toBeLessThanOrEqual(outcome.running + 3);
  }, 120_000);

  it('ENV-36: answer again after a failover of Redis by Sentinel', async () => {
    const failover = faults.find(({ name }) => name.startsWith('Redis'));
    if (!failover) throw new Error('no fault of Redis');
    const outcome = await tryFault(platform, traffic, failover, OBSERVED_MS);
    expect(outcome.calls).toBeGreaterThan(0);
    expect(await platform.isReady()).toBe(true);
  }, 120_000);

  it('SPK-25: lose no Spark that they have acknowledged', async () => {
    await traffic.stop();
    const { left, lost } = await traffic.readRest();
    expect(left).toBeGreaterThan(0);
    expect(lost).toBe(0);
  }, 120_000);
});
