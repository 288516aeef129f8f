import { register } from 'prom-client';

/** Gauges whose values must be asked for, of PostgreSQL or NATS for instance. */
export interface MetricSource {
  /** Sets the gauges. */
  collect(): Promise<void>;
  /** Removes the series that could not be read: an old value would hide the fault, an absent one raises its alert. */
  forget(): void;
}

/** A scrape waits no longer for a source; Prometheus gives up after 10 s by default. */
const COLLECT_MS_MAX = 1_000;

const sources = new Set<MetricSource>();
let collecting: Promise<unknown> | undefined;

/**
 * Adds a source, which is asked at every scrape.
 * @returns removes it, with its series
 */
export function addMetricSource(source: MetricSource): () => void {
  sources.add(source);
  return () => {
    sources.delete(source);
    source.forget();
  };
}

/** All metrics of the process as Prometheus text. Scrapes at the same time share one collection. Never waits over a second. */
export async function metricsText(): Promise<string> {
  collecting ??= Promise.all([...sources].map(collect)).finally(() => (collecting = undefined));
  await collecting;
  return register.metrics();
}

async function collect(source: MetricSource): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), COLLECT_MS_MAX);
  });
  try {
    await Promise.race([source.collect(), late]);
  } catch {
    source.forget(); // the absent series is the report; readiness names the server
  } finally {
    clearTimeout(timer);
  }
}
