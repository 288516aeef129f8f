import { collectDefaultMetrics, Gauge, register } from 'prom-client';

/** Each measurement of the event loop's delay wakes an idle process: there are none. The delay at a scrape costs nothing. */
const NEVER_MS = 2 ** 31 - 1;
const LOOP_QUANTILES = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (name) => `nodejs_eventloop_lag_${name}_seconds`,
);

/** Gauges of prom-client whose names end as those of counters, which `promtool check metrics` refuses. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

let isMeasuring = false;

/** Measures process, heap, garbage collector and event loop, once for all services of the process. */
export function measureProcess(): void {
  if (isMeasuring) return;
  isMeasuring = true;
  collectDefaultMetrics({ eventLoopMonitoringPrecision: NEVER_MS });
  for (const name of [...MISNAMED, ...LOOP_QUANTILES]) register.removeSingleMetric(name);
  let previous = performance.eventLoopUtilization();
  new Gauge({
    name: 'vaultsvc_event_loop_utilization_ratio',
    help: 'Share of the time since the previous scrape in which the event loop worked, from 0 to 1.',
    collect() {
      const current = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(current, previous).utilization);
      previous = current;
    },
  });
}

const build = new Gauge({
  name: 'vaultsvc_build_info',
  help: 'Always 1. Version and commit of the running build, by service.',
  labelNames: ['service', 'version', 'revision'],
});

/** Shows the build of a service. */
export function showBuild(
  service: string,
  { version, revision }: { version: string; revision: string },
): void {
  build.set({ service, version, revision }, 1);
}
