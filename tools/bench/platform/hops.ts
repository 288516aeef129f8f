// The time of a request by stage, from the metrics of the services.
import type { StackDescription } from '../../stack/descriptor.ts';

type Hop = 'gateway' | 'admission' | 'bus' | 'service' | 'database';

/** Milliseconds of each histogram. */
export type Hops = Record<Hop, number>;

/** A stage with its milliseconds and its share of the client's waiting time. */
export interface Stage {
  leg: string;
  ms: number;
  share: number;
}

/** The metric of each stage, and the service that has it. */
const HOPS: Record<Hop, [metric: string, service: string]> = {
  gateway: ['vaultsvc_http_request_duration_seconds', 'gateway'],
  admission: ['vaultsvc_admission_duration_seconds', 'gateway'],
  bus: ['vaultsvc_bus_call_duration_seconds', 'gateway'],
  service: ['vaultsvc_operation_duration_seconds', 'sparks'],
  database: ['vaultsvc_statement_duration_seconds', 'sparks'],
};

/** The current sum of each histogram in milliseconds. */
export async function readHops(stack: StackDescription): Promise<Hops> {
  const pages: Record<string, string> = {};
  for (const service of ['gateway', 'sparks']) {
    pages[service] = await (await fetch(`${stack.services[service]?.private_url}/metrics`)).text();
  }
  return mapHops((hop) => {
    const [metric, service] = HOPS[hop];
    return total(pages[service] ?? '', metric);
  });
}

function mapHops(valueOf: (hop: Hop) => number): Hops {
  const [gateway, admission, bus] = [valueOf('gateway'), valueOf('admission'), valueOf('bus')];
  return { gateway, admission, bus, service: valueOf('service'), database: valueOf('database') };
}

function total(page: string, metric: string) {
  let seconds = 0;
  for (const [, labels, value] of page.matchAll(new RegExp(`^${metric}_sum(\\{[^}]*\\})? (\\S+)$`, 'gm'))) {
    if (!/health|unprocessed|outbox|processed|readiness/.test(labels ?? '')) seconds += Number(value);
  }
  return seconds * 1_000;
}

/** The mean milliseconds of each stage, and its share of the client's waiting time. */
export function sharesOf(before: Hops, after: Hops, requests: number, clientMean: number): Stage[] {
  const mean = mapHops((hop) => (after[hop] - before[hop]) / requests);
  const legs = {
    'client and network': clientMean - mean.gateway,
    'gateway itself': mean.gateway - mean.admission - mean.bus,
    'Redis (credential and limit)': mean.admission,
    'NATS both ways': mean.bus - mean.service,
    'service itself': mean.service - mean.database,
    PostgreSQL: mean.database,
  };
  return Object.entries(legs).map(([leg, ms]) => ({ leg, ms, share: ms / clientMean }));
}
