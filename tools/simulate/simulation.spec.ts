import { describe, expect, it } from '@jest/globals';
import { randomFrom } from '../test/random.ts';
import type { Network, Station } from './network.ts';
import { simulate } from './simulation.ts';

const server = (station: Partial<Station> = {}): Station => ({
  name: 'server',
  batchUs: 0,
  itemUs: 100,
  concurrency: 1,
  ...station,
});
const networkOf = (cores: number, ...stations: Station[]): Network => ({
  cores: { all: cores },
  stations,
  wakeUs: 0,
});
const run = (network: Network, callers: number, visits = ['server'], seed = 1) =>
  simulate(network, { callers, requests: 20_000, path: { visits, afterwards: [] } }, randomFrom(seed));

/** Within two per cent. */
function expectAbout(actual: number, expected: number): void {
  expect(actual / expected).toBeGreaterThan(0.98);
  expect(actual / expected).toBeLessThan(1.02);
}

/** Below a bound, and near it; the times of turns vary by chance. */
function expectBounded(actual: number, bound: number): void {
  expect(actual / bound).toBeGreaterThan(0.9);
  expect(actual / bound).toBeLessThan(1.01);
}

describe('The simulated network', () => {
  it('serves one caller in the sum of its costs: 100 µs of the server, 250 µs of a statement with its commit, and 25 µs until each is awake', () => {
    const network = {
      ...networkOf(2, server(), server({ name: 'store', itemUs: 0, batchUs: 50, delayUs: 200 })),
      wakeUs: 25,
    };
    const { perSecond, cpuUs } = run(network, 1, ['server', 'store']);
    expectAbout(perSecond, 1e6 / (100 + 50 + 200 + 2 * 25));
    expectAbout(cpuUs['server'] ?? 0, 100);
    expectAbout(cpuUs['store'] ?? 0, 50);
  });

  it('is bounded by the busiest station, which has one batch under way, however many cores and callers there are', () => {
    const { perSecond, p50 } = run(
      networkOf(8, server({ itemsMax: 1 }), server({ name: 'light', itemUs: 10 })),
      64,
      ['light', 'server'],
    );
    expectBounded(perSecond, 10_000);
    expect(p50).toBeCloseTo(64_000 / perSecond, 0); // Little's law
  });

  it('is bounded by its cores where all stations together need more of them', () => {
    const stations = ['a', 'b', 'c', 'd'].map((name) => server({ name }));
    expectBounded(run(networkOf(2, ...stations), 64, ['a', 'b', 'c', 'd']).perSecond, 2 / 400e-6);
  });

  it('shares the cost of a batch among the items that have gathered: half of the callers, while the other half are served', () => {
    const network = networkOf(1, server({ batchUs: 1_000, itemUs: 10 }));
    expectAbout(run(network, 1).perSecond, 1e6 / 1_010);
    const { cpuUs } = run(network, 100);
    expect(cpuUs['server']).toBeGreaterThan(10 + 1_000 / 100);
    expect(cpuUs['server']).toBeLessThan(10 + 1_000 / 40);
  });

  it('has as many batches under way as a station may: 4 with 1 ms each, which need a core for a tenth of it', () => {
    const station = server({ concurrency: 4, itemUs: 100, delayUs: 900, itemsMax: 1 });
    expectBounded(run(networkOf(4, station), 16).perSecond, 4_000);
    // All at once, and none waits for the next arrival.
    expectAbout(
      run({ ...networkOf(4, station, server({ name: 'light', itemUs: 1 })) }, 4, ['light', 'server'])
        .perSecond,
      4_000,
    );
  });

  it('has the work after a reply done beside the next requests', () => {
    const path = { visits: ['server'], afterwards: ['events'] };
    const network = networkOf(2, server(), server({ name: 'events', itemUs: 50 }));
    const { perSecond, cpuUs } = simulate(network, { callers: 1, requests: 20_000, path }, randomFrom(1));
    expectAbout(perSecond, 10_000);
    expectAbout(cpuUs['events'] ?? 0, 50);
  });

  it('has all that arrives before a process is awake in one batch: two callers in step share each', () => {
    const stations = ['a', 'b', 'c'].map((name) => server({ name, batchUs: 200, itemUs: 1 }));
    const network = { ...networkOf(3, ...stations), wakeUs: 50 };
    expectAbout(run(network, 2, ['a', 'b', 'c']).cpuUs['b'] ?? 0, 1 + 200 / 2);
  });

  it('passes on an item when it is done, while its batch goes on: otherwise two stations would work by turns', () => {
    const stations = ['a', 'b'].map((name) => server({ name, itemUs: 100 }));
    expectBounded(run(networkOf(2, ...stations), 16, ['a', 'b']).perSecond, 10_000);
  });

  it('defers a part of the work until the items have left: one caller waits for the rest, and each process costs the same', () => {
    const network = { ...networkOf(2, server(), server({ name: 'other' })), deferredShare: 0.3 };
    const { perSecond, cpuUs } = run(network, 1, ['server', 'other']);
    expectAbout(perSecond, 1e6 / 140);
    expectAbout(cpuUs['server'] ?? 0, 100);
  });

  it('sends items to copies of a station by chance', () => {
    expectBounded(run(networkOf(8, server({ copies: 4 })), 256).perSecond, 40_000);
  });

  it('gives the same result for the same seed, and another for another', () => {
    const network = networkOf(2, server());
    expect(run(network, 8, ['server'], 7)).toEqual(run(network, 8, ['server'], 7));
    expect(run(network, 8, ['server'], 7)).not.toEqual(run(network, 8, ['server'], 8));
  });

  it('names a station or a machine that is missing', () => {
    expect(() => run(networkOf(1, server()), 1, ['nowhere'])).toThrow('no station nowhere');
    expect(() => run(networkOf(1, server({ machine: 'moon' })), 1)).toThrow('server has no machine moon');
  });
});
