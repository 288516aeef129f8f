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

/** The load is generated elsewhere where processes have machines of their own, and then needs no core of theirs. */
export function scaled(
  { cores, stations, wakeUs, sigma }: Network,
  { cores: wanted, apart, copies }: Scale,
): Network {
  const each = wanted ?? cores['all'] ?? 1;
  const names = apart ? stations.map(({ name }) => name) : ['all'];
  return {
    wakeUs,
    ...(sigma !== undefined && { sigma }),
    cores: Object.fromEntries(names.map((name) => [name, each])),
    stations: stations.map((station) => ({
      ...station,
      copies: copies[station.name] ?? 1,
      machine: apart ? station.name : 'all',
      ...(apart && station.name === 'client' && { lanes: each }),
    })),
  };
}
