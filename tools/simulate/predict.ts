// Predicts rates and times from fitted networks, for this machine and for others.
import { table } from '../bench/report.ts';
import { STEPS, type Step } from '../bench/platform/rounds.ts';
import { randomFrom } from '../test/random.ts';
import type { Fitted } from './fit.ts';
import type { Network } from './network.ts';
import { scaleNetwork, type Scale } from './scale-network.ts';
import { simulate, type Simulated } from './simulation.ts';

/** Simulated requests of each caller, and at least. */
const REQUESTS = { ofCaller: 100, least: 20_000 };

export function predictionOf({ network, path }: Fitted, callers: number): Simulated {
  const requests = Math.max(REQUESTS.least, callers * REQUESTS.ofCaller);
  return simulate(network, { callers, requests, path }, randomFrom(1));
}

export function predict(networks: Record<Step, Fitted>, callers: number, scale: Scale): void {
  table(
    `Predicted for ${callers} callers`,
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'busiest'],
    STEPS.map((step) => {
      const { network, path } = networks[step];
      const scaled = scaleNetwork(network, scale);
      const simulated = predictionOf({ network: scaled, path }, callers);
      return [step, ...cells(simulated), busiestOf(scaled, simulated)];
    }),
  );
}

export function cells({ perSecond, p50, p99 }: Pick<Simulated, 'perSecond' | 'p50' | 'p99'>): string[] {
  return [perSecond.toFixed(0), p50.toFixed(2), p99.toFixed(2)];
}

/** Of the processes with one thread and of the machines, what is nearest to all that it has. */
function busiestOf({ stations, cores }: Network, { perSecond, cpuUs }: Simulated): string {
  const usedBy = (name: string) => ((cpuUs[name] ?? 0) * perSecond) / 1e6;
  const processes = stations
    .filter(({ concurrency }) => concurrency === 1)
    .map(({ name, copies = 1 }) => ({ name, share: usedBy(name) / copies }));
  const machines = Object.entries(cores).map(([name, count]) => {
    const own = stations.filter(({ machine = 'all' }) => machine === name);
    const used = own.reduce((sum, station) => sum + usedBy(station.name), 0);
    return { name: name === 'all' ? 'the cores' : `the cores of ${name}`, share: used / count };
  });
  const [busiest] = [...machines, ...processes].toSorted((a, b) => b.share - a.share);
  return busiest ? `${busiest.name}, ${(busiest.share * 100).toFixed(0)} %` : '';
}
