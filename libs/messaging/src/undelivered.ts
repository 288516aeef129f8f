import type { Msg } from '@nats-io/transport-node';

/** NATS status of a request that no subscription received. */
const NO_RESPONDERS = 503;

/** Whether a message is the one with which NATS replies to a request that no subscription received. */
export function isUndelivered({ data, headers }: Pick<Msg, 'data' | 'headers'>): boolean {
  return data.length === 0 && headers?.code === NO_RESPONDERS;
}
