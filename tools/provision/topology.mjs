import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../stack/settings.mjs';

/**
 * @typedef {{ calls: string[], publishesTo: string[], consumesFrom: string[], signals?: string[], receives?: string[] }} ServiceMessages
 * @typedef {Record<string, ServiceMessages>} Topology the messages of each service
 */

/** Generated from the contracts by `npm run docs`, and committed, so that reviews see each new edge between services. */
export const topologyFile = 'deploy/topology.json';

/** @returns {Topology} */
export function readTopology() {
  return JSON.parse(readFileSync(join(workspace, topologyFile), 'utf8'));
}

/**
 * The pairs of services with a key: a caller and a called service, or a publisher, which asks for lost events, and a
 * consumer.
 * @param {Topology} topology
 * @returns {{ caller: string, called: string }[]}
 */
export function callPairs(topology) {
  return Object.entries(topology).flatMap(([caller, { calls }]) => {
    const called = new Set(calls.map((operation) => operation.split('.')[0] ?? ''));
    return [...called].map((service) => ({ caller, called: service }));
  });
}

/**
 * Whether a service has a database and so an outbox, even if it declares no event yet. All but the gateway have one.
 * @param {string} service
 */
export function hasOutbox(service) {
  return service !== 'gateway';
}
