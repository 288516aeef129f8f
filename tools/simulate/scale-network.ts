// The same costs on other machines.
import type { Network } from './network.ts';

export interface Scale {
  /** Of each machine; undefined: as many as before. */
  readonly cores: number | undefined;
  /** Whether each kind of process has a machine of its own. */
  readonly apart: boolean;
  /** Processes of these kinds. */
  readonly copies: Readonly<Record<string, number>>;
}

/**
 * The load is generated elsewhere where processes have machines of their own, and then has as many processes as cores. Each copy of sparks
 * has statements of its own under way.
 */
export function scaleNetwork(network: Network, { cores, apart, copies }: Scale): Network {
  const each = cores ?? network.cores['all'] ?? 1;
  const names = apart ? network.stations.map(({ name }) => name) : ['all'];
  return {
    ...network,
    cores: Object.fromEntries(names.map((name) => [name, each])),
    stations: network.stations.map((station) => ({
      ...station,
      copies: apart && station.name === 'client' ? each : (copies[station.name] ?? 1),
      machine: apart ? station.name : 'all',
      concurrency: station.concurrency * (station.name === 'postgres' ? (copies['sparks'] ?? 1) : 1),
    })),
  };
}
