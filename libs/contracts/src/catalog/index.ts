import type { PublicOperation } from '../core/operation.js';
import * as auth from '../auth/index.js';
import * as gateway from '../gateway/index.js';
import * as integrations from '../integrations/index.js';
import * as notify from '../notify/index.js';
import * as reporting from '../reporting/index.js';
import * as sparks from '../sparks/index.js';
import * as vaults from '../vaults/index.js';

/** Every endpoint of the public API, for the gateway's routes, the API reference and the fuzzer. */
export const operations: readonly PublicOperation[] = [
  auth,
  gateway,
  integrations,
  notify,
  reporting,
  sparks,
  vaults,
].flatMap(endpointsIn);

/** The public operations among the exports of a contracts module. */
export function endpointsIn(exported: object): PublicOperation[] {
  return Object.values(exported).filter(isEndpoint);
}

function isEndpoint(value: unknown): value is PublicOperation {
  return typeof value === 'object' && value !== null && 'subject' in value && 'http' in value;
}

export { eventsConsumedBy, topologyOf, type ServiceMessages, type Topology } from './topology.js';
