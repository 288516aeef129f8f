import { setTimeout as delay } from 'node:timers/promises';
import { services } from '../stack/settings.ts';
import type { RollingPlatform } from './platform.ts';
import type { Failure, Outcome, Traffic } from './traffic.ts';

/** A fault, and what the calls during it may look like. */
export interface Fault {
  readonly name: string;
  readonly inject: (platform: RollingPlatform) => Promise<void>;
  /** Repairs what does not repair itself. */
  readonly repair?: (platform: RollingPlatform) => Promise<void>;
  /** Failed calls that are accepted; undefined: any number, until all is healthy. */
  readonly failedMax?: number;
  /** Milliseconds in which a failed call is answered. */
  readonly answeredMs?: number;
  /** Milliseconds until the last failure. */
  readonly overMs: number;
}

const KILL = { failedMax: 3, answeredMs: 1_000, overMs: 6_000 };
const HEALTHY = { overMs: 10_000 };

/** kill -9 of one of two copies of a service. */
export function killOf(service: string): Fault {
  const copy = `${service} 1`;
  return {
    name: `kill -9 of ${copy}`,
    inject: (platform) => platform.copy(copy).kill('SIGKILL'),
    repair: async (platform) => void (await platform.copy(copy).start()),
    ...KILL,
  };
}

export const frozen: Fault = {
  name: 'a frozen copy of sparks (SIGSTOP)',
  inject: (platform) => Promise.resolve(platform.copy('sparks 1').pause()),
  repair: (platform) => Promise.resolve(platform.copy('sparks 1').resume()),
  failedMax: 120,
  overMs: 6_000,
};

/** Each with its bound. */
export const faults: readonly Fault[] = [
  ...services.map(killOf),
  frozen,
  {
    name: 'PostgreSQL, immediate restart',
    inject: async (platform) => {
      await platform.server('postgres').kill('SIGQUIT');
      await platform.server('postgres').start();
    },
    ...HEALTHY,
  },
  {
    name: 'Redis, failover by Sentinel',
    inject: (platform) => platform.server('redis').kill('SIGKILL'),
    ...HEALTHY,
  },
  {
    name: 'NATS, kill -9 and restart',
    inject: async (platform) => {
      await platform.server('nats').kill('SIGKILL');
      await platform.server('nats').start();
    },
    ...HEALTHY,
  },
];

/** What a fault did to the calls. Times are milliseconds. */
export interface FaultReport extends Outcome {
  readonly fault: Fault;
  /** Calls that were without an answer when it was injected: more on a slow machine. */
  readonly running: number;
  readonly lastFailureMs: number;
  readonly slowestMs: number;
  /** Until all copies were ready and the last failed call had begun. */
  readonly healthyMs: number;
  readonly problems: readonly string[];
}

const OBSERVED_MS = 15_000;
const POLL_MS = 200;

/** Injects a fault under traffic and observes it for some seconds, or shorter for a short run. */
export async function tryFault(
  platform: RollingPlatform,
  traffic: Traffic,
  fault: Fault,
  observedMs = OBSERVED_MS,
): Promise<FaultReport> {
  const begunAt = performance.now();
  const { running } = traffic;
  let readyMs = 0;
  const outcome = await traffic.during(async () => {
    await fault.inject(platform);
    if (!fault.repair) {
      while (!(await platform.isReady()) && performance.now() - begunAt < 60_000) await delay(POLL_MS);
      readyMs = performance.now() - begunAt;
    }
    await delay(Math.max(0, observedMs - (performance.now() - begunAt)));
    await fault.repair?.(platform);
  });
  const { failures } = outcome;
  const lastFailureMs = Math.max(0, ...failures.map(({ at }) => at - begunAt));
  const slowestMs = Math.max(0, ...failures.map(({ tookMs }) => tookMs));
  const report = {
    fault,
    running,
    ...outcome,
    lastFailureMs,
    slowestMs,
    healthyMs: Math.max(readyMs, lastFailureMs),
  };
  return { ...report, problems: problemsOf(report) };
}

function problemsOf({ fault, failures, slowestMs, healthyMs }: Omit<FaultReport, 'problems'>): string[] {
  const { failedMax = Number.POSITIVE_INFINITY, answeredMs = Number.POSITIVE_INFINITY, overMs } = fault;
  const over = (what: string, value: number, max: number) =>
    value > max ? [`${what} ${Math.round(value)}, at most ${max}`] : [];
  return [
    ...over('failed', failures.length, failedMax),
    ...over('answered after ms', slowestMs, answeredMs),
    ...over('over after ms', healthyMs, overMs),
  ];
}

/** The reasons of failures, each with its number. */
export function reasonsOf(failures: readonly Failure[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of failures) {
    const short = reason.replaceAll(/"(request_id|retry_after)":"?[^",}]*"?/g, '').slice(0, 100);
    counts.set(short, (counts.get(short) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${count} x ${reason}`).join('; ');
}
