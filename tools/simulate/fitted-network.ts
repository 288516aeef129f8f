// Builds the network of a step from its measured costs and from figures that are fitted.
import type { Step } from '../bench/platform/rounds.ts';
import type { Measurement } from './costs.ts';
import type { Network, Path, Station } from './network.ts';
import { PATHS, STATEMENTS, visitsOf } from './request-paths.ts';

export interface Unknowns {
  /** The shares of a batch in the cost of a single item, by station. */
  readonly batchShares: Readonly<Record<string, number>>;
  readonly deferredShare: number;
  readonly wakeUs: number;
  readonly itemsMax: number;
  readonly sigma: number;
}

/** Processes that apply events. */
const APPLYING = 2;
/** A collection of the young generation (docs/performance.md). */
const PAUSE = { afterItems: 120, us: 2_500 };
const COLLECTED = new Set(['gateway', 'sparks']);

/** @param one the costs of a single caller, each of whose visits is a batch of its own */
export function networkOf(step: Step, one: Measurement, cores: number, unknowns: Unknowns): Network {
  const path = PATHS[step];
  const stations = Object.entries(one.cpuUs).map(([name, us]) => {
    const station = stationOf(name, us / visitsOf(path, name), unknowns);
    if (name === 'events') return { ...station, concurrency: APPLYING };
    return name === 'postgres'
      ? { ...delayed(station, path, one, unknowns), concurrency: STATEMENTS[step] }
      : station;
  });
  const { wakeUs, deferredShare, sigma } = unknowns;
  return { cores: { all: cores }, stations, wakeUs, deferredShare, sigma };
}

/** @param us of a visit of one caller */
function stationOf(name: string, us: number, { batchShares, itemsMax }: Unknowns): Station {
  const pausedUs = COLLECTED.has(name) ? Math.min(us / 2, PAUSE.us / PAUSE.afterItems) : 0;
  const workUs = us - pausedUs;
  const batchUs = (batchShares[name] ?? 0) * workUs;
  return {
    name,
    batchUs,
    itemUs: workUs - batchUs,
    concurrency: 1,
    itemsMax,
    ...(pausedUs > 0 && { pause: { afterItems: PAUSE.us / pausedUs, us: PAUSE.us } }),
  };
}

/** The delay of a statement is its time without its processor time and without two wake-ups, of PostgreSQL and of the caller: the commit. */
function delayed(
  station: Station,
  path: Path,
  { databaseUs }: Measurement,
  { deferredShare, wakeUs }: Unknowns,
): Station {
  const statements = path.visits.filter((name) => name === station.name).length;
  const workUs = station.batchUs + station.itemUs;
  const delayUs = databaseUs / statements - (1 - deferredShare) * workUs - 2 * wakeUs;
  return { ...station, delayUs: Math.max(1, delayUs) };
}
