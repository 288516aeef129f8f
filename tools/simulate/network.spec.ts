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

/** Below a bound, and near it; the times of turns vary by chance. */
function expectBounded(actual: number, bound: number): void {
  expect(actual / bound).toBeGreaterThan(0.9);
  expect(actual / bound).toBeLessThan(1.01);
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

  it('costs more on a core that slept: 100 µs and 300 µs for one caller, 100 µs where turns follow each other', () => {
    const stations = [
      server({ itemUs: 0, turnUs: 100, coldUs: 300, itemsMax: 1 }),
      server({ name: 'light', itemUs: 10 }),
    ];
    const network = { ...networkOf(1, ...stations), wakeUs: 20 };
    const costOf = (callers: number) => run(network, callers, ['server', 'light']).cpuUs['server'] ?? 0;
    expectAbout(costOf(1), 400);
    expectAbout(costOf(8), 100);
  });

  it('has all that arrives before a process is awake in one turn: two callers in step share each', () => {
    const stations = ['a', 'b', 'c'].map((name) => server({ name, turnUs: 200, itemUs: 1 }));
    const network = { ...networkOf(3, ...stations), wakeUs: 50 };
    expectAbout(run(network, 2, ['a', 'b', 'c']).cpuUs['b'] ?? 0, 1 + 200 / 2);
  });

  it('passes on an item when it is done, while its turn goes on: otherwise two stations would work by turns', () => {
    const stations = ['a', 'b'].map((name) => server({ name, turnUs: 0, itemUs: 100 }));
    expect(run(networkOf(2, ...stations), 16, ['a', 'b']).perSecond).toBeGreaterThan(9_000);
  });

  it('gives times of a machine whose speed varies, at the same rate', () => {
    const [steady, varying] = [0, 0.5].map((sigma) => run({ ...networkOf(1, server()), sigma }, 8));
    expect(varying?.perSecond).toBe(steady?.perSecond);
    expect((varying?.p99 ?? 0) / (steady?.p99 ?? 1)).toBeGreaterThan(1.5);
    expect((varying?.p50 ?? 0) / (steady?.p50 ?? 1)).toBeLessThan(1);
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
