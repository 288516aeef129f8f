import { describe, expect, it } from '@jest/globals';
import { randomFrom } from '../test/random.ts';
import type { Measurement } from './costs.ts';
import { fit } from './fit.ts';
import { networkOf } from './fitted-network.ts';
import { predictionOf } from './predict.ts';
import { PATHS } from './request-paths.ts';
import { scaleNetwork } from './scale-network.ts';
import { simulate } from './simulation.ts';

/** Of a single caller, in microseconds; its statements take 600 with their commits. */
const ALONE = { client: 200, gateway: 600, sparks: 700, postgres: 400, nats: 150, redis: 100, events: 90 };
const unknowns = {
  batchShares: Object.fromEntries(Object.keys(ALONE).map((name) => [name, 0.7])),
  deferredShare: 0.3,
  wakeUs: 30,
  itemsMax: 32,
  sigma: 0.3,
};
const alone = { callers: 1, perSecond: 0, p50: 0, p99: 0, databaseUs: 600, cpuUs: ALONE };
const network = networkOf('create', alone, 2, unknowns);

/** A measurement of that network. */
function measured(callers: number): Measurement {
  const load = { callers, requests: Math.max(4_000, callers * 50), path: PATHS.create };
  const { perSecond, p50, p99, cpuUs } = simulate(network, load, randomFrom(2));
  return { callers, perSecond, p50, p99, databaseUs: 600, cpuUs: { ...cpuUs } };
}

describe('The fitted network', () => {
  it('predicts loads of a known network that it was not fitted to: rates within 6 %, costs within 12 %, p99 within 25 %', () => {
    const loads = { one: measured(1), many: measured(32), most: measured(128) };
    const fitted = fit('create', loads, 2, [32]);
    for (const callers of [2, 9, 70]) {
      const [predicted, actual] = [predictionOf(fitted, callers), measured(callers)];
      expect(Math.abs(predicted.perSecond / actual.perSecond - 1)).toBeLessThan(0.06);
      expect(Math.abs(predicted.p99 / actual.p99 - 1)).toBeLessThan(0.25);
      for (const name of ['gateway', 'sparks', 'postgres'])
        expect(Math.abs((predicted.cpuUs[name] ?? 0) / (actual.cpuUs[name] ?? 1) - 1)).toBeLessThan(0.12);
    }
  });
});

describe('A scaled network', () => {
  const copies = { gateway: 2, sparks: 3 };

  it('has copies of services, and the statements of each copy of sparks', () => {
    const { stations, cores } = scaleNetwork(network, { cores: 8, apart: false, copies });
    expect(cores).toEqual({ all: 8 });
    const of = (name: string) => stations.find((station) => station.name === name);
    expect([of('gateway')?.copies, of('sparks')?.copies, of('postgres')?.copies]).toEqual([2, 3, 1]);
    expect(of('postgres')?.concurrency).toBe(3 * 2);
  });

  it('has a machine for each kind of process where they are apart', () => {
    const { stations, cores } = scaleNetwork(network, { cores: 4, apart: true, copies });
    expect(Object.keys(cores).toSorted()).toEqual(Object.keys(ALONE).toSorted());
    expect(new Set(Object.values(cores))).toEqual(new Set([4]));
    expect(stations.map(({ machine }) => machine)).toEqual(stations.map(({ name }) => name));
  });

  it('does more with more cores', () => {
    const rateOf = (cores: number) => {
      const scaled = scaleNetwork(network, { cores, apart: true, copies });
      return predictionOf({ network: scaled, path: PATHS.create }, 256).perSecond;
    };
    expect(rateOf(4)).toBeGreaterThan(1.1 * rateOf(1));
  });
});
