import { describe, expect, it } from '@jest/globals';
import { randomFrom } from '../test/random.ts';
import { simulate, type Network, type Station } from './network.ts';

const server = (station: Partial<Station> = {}): Station => ({
  name: 'server',
  turnUs: 0,
  itemUs: 100,
  lanes: 1,
  ...station,
});
const networkOf = (cores: number, ...stations: Station[]): Network => ({
  cores: { all: cores },
  stations,
  wakeUs: 0,
});
const run = (network: Network, callers: number, visits = ['server'], seed = 1) =>
  simulate(
    network,
    { callers, requests: 20_000, pathOf: () => ({ visits, afterwards: [] }) },
    randomFrom(seed),
  );

/** Within two per cent. */
function expectAbout(actual: number, expected: number): void {
  expect(actual / expected).toBeGreaterThan(0.98);
  expect(actual / expected).toBeLessThan(1.02);
}

/** Below a bound, and near it: a turn passes its items on together, so others have none for a moment. */
function expectBounded(actual: number, bound: number): void {
  expect(actual / bound).toBeGreaterThan(0.9);
  expect(actual / bound).toBeLessThan(1.005);
}

describe('The simulated network', () => {
  it('serves one caller in the sum of its costs: 100 µs of the server, 250 µs of a commit, two ways of 25 µs', () => {
    const network = {
      ...networkOf(2, server(), server({ name: 'store', itemUs: 0, turnUs: 50, delayUs: 200 })),
      wakeUs: 25,
    };
    const { perSecond, cpuUs } = run(network, 1, ['server', 'store']);
    expectAbout(perSecond, 1e6 / (100 + 50 + 200 + 2 * 25));
    expectAbout(cpuUs['server'] ?? 0, 100);
    expectAbout(cpuUs['store'] ?? 0, 50);
  });

  it('is bounded by the only lane of its busiest station, however many cores and callers there are', () => {
    const { perSecond, p50 } = run(networkOf(8, server(), server({ name: 'light', itemUs: 10 })), 64, [
      'light',
      'server',
    ]);
    expectBounded(perSecond, 10_000);
    expect(p50).toBeCloseTo(64_000 / perSecond, 0); // Little's law
  });

  it('is bounded by its cores where all stations together need more of them', () => {
    const stations = ['a', 'b', 'c', 'd'].map((name) => server({ name }));
    expectBounded(run(networkOf(2, ...stations), 64, ['a', 'b', 'c', 'd']).perSecond, 2 / 400e-6);
  });

  it('shares the cost of a turn among the items that have gathered', () => {
    const network = networkOf(1, server({ turnUs: 1_000, itemUs: 10 }));
    expectAbout(run(network, 1).perSecond, 1e6 / 1_010);
    // Half of the callers gather while the other half are served.
    expect(run(network, 100).perSecond).toBeGreaterThan(20_000);
    expect(run(network, 100).cpuUs['server']).toBeLessThan(50);
  });

  it('has the work after a reply done beside the next requests', () => {
    const path = { visits: ['server'], afterwards: ['events'] };
    const network = networkOf(2, server(), server({ name: 'events', itemUs: 50 }));
    const { perSecond, cpuUs } = simulate(
      network,
      { callers: 1, requests: 20_000, pathOf: () => path },
      randomFrom(1),
    );
    expectAbout(perSecond, 10_000);
    expectAbout(cpuUs['events'] ?? 0, 50);
  });

  it('does nothing during its stalls: 1 ms after every 9 ms, which one caller in a hundred meets', () => {
    const { perSecond, cpuUs, p50, p99 } = run(
      { ...networkOf(2, server()), stalls: { everyUs: 9_000, us: 1_000 } },
      1,
    );
    expectBounded(perSecond, 9_100); // the turn that runs goes on
    expectAbout(cpuUs['server'] ?? 0, 100);
    expect(p50).toBeLessThan(0.12);
    expect(p99).toBeGreaterThan(0.2);
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
