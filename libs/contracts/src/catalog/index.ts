import type { PublicOperation } from '../core/operation.js';
import * as auth from '../auth/index.js';
import * as gateway from '../gateway/index.js';
import * as integrations from '../integrations/index.js';
import * as notify from '../notify/index.js';
import * as reporting from '../reporting/index.js';
import * as sparks from '../sparks/index.js';
import * as vaults from '../vaults/index.js';

const modules = [auth, gateway, integrations, notify, reporting, sparks, vaults];

/** Every endpoint of the public API, for the gateway's routes, the API reference and the fuzzer. */
export const operations: readonly PublicOperation[] = modules.flatMap(endpointsIn);

const operationIds = new Map(
  modules.flatMap((exported) =>
    Object.entries(exported as Record<string, unknown>).flatMap(([name, value]) =>
      isEndpoint(value) ? [[value, name] as const] : [],
    ),
  ),
);

/** The id of an operation in the OpenAPI document, and so the name of its function in generated clients: `createSpark`. */
export function operationIdOf(op: PublicOperation): string {
  return operationIds.get(op) ?? op.name.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The public operations among the exports of a contracts module. */
export function endpointsIn(exported: object): PublicOperation[] {
  return Object.values(exported).filter(isEndpoint);
}

function isEndpoint(value: unknown): value is PublicOperation {
  return typeof value === 'object' && value !== null && 'subject' in value && 'http' in value;
}

export { eventsConsumedBy, topologyOf, type ServiceMessages, type Topology } from './topology.js';
