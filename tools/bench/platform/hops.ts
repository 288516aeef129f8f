// @ts-nocheck
// The time of a request by stage, from the metrics of the services.

const HOPS = {
  gateway: ['vaultsvc_http_request_duration_seconds', 'gateway'],
  admission: ['vaultsvc_admission_duration_seconds', 'gateway'],
  bus: ['vaultsvc_bus_call_duration_seconds', 'gateway'],
  service: ['vaultsvc_operation_duration_seconds', 'sparks'],
  database: ['vaultsvc_statement_duration_seconds', 'sparks'],
};

/** The current sum of each histogram in milliseconds. */
export async function readHops(stack) {
  const pages = {};
  for (const service of ['gateway', 'sparks']) {
    pages[service] = await (await fetch(`${stack.services[service].private_url}/metrics`)).text();
  }
  return Object.fromEntries(
    Object.entries(HOPS).map(([hop, [metric, service]]) => [hop, total(pages[service], metric)]),
  );
}

function total(page, metric) {
  let seconds = 0;
  for (const [, labels, value] of page.matchAll(new RegExp(`^${metric}_sum(\\{[^}]*\\})? (\\S+)$`, 'gm'))) {
    if (!/health|unprocessed|outbox|processed|readiness/.test(labels ?? '')) seconds += Number(value);
  }
  return seconds * 1_000;
}

/** The mean milliseconds of each stage, and its share of the client's waiting time. */
export function sharesOf(before, after, requests, clientMean) {
  const mean = Object.fromEntries(
    Object.keys(after).map((hop) => [hop, (after[hop] - before[hop]) / requests]),
  );
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
