import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../stack/settings.ts';

type ServiceMessages = {
  calls: string[];
  publishesTo: string[];
  consumesFrom: string[];
  signals?: string[];
  receives?: string[];
  isSharded?: boolean;
};

/** The messages of each service. */
export type Topology = Record<string, ServiceMessages>;

/** Generated from the contracts by `npm run docs`, and committed, so that reviews see each new edge between services. */
export const topologyFile = 'deploy/topology.json';

export function readTopology(): Topology {
  return JSON.parse(readFileSync(join(workspace, topologyFile), 'utf8'));
}

/**
 * The pairs of services with a key: a caller and a called service, or a publisher, which asks for lost events, and a
 * consumer.
 */
export function callPairs(topology: Topology): { caller: string; called: string }[] {
  return Object.entries(topology).flatMap(([caller, { calls }]) => {
    const called = new Set(calls.map((operation) => operation.split('.')[0] ?? ''));
    return [...called].map((service) => ({ caller, called: service }));
  });
}

/** Whether a service has a database and so an outbox, even if it declares no event yet. All but the gateway have one. */
export function hasOutbox(service: string) {
  return service !== 'gateway';
}
