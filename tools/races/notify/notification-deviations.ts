import type { SendReport } from '@vaultsvc/contracts/notify';
import type { ReceivedMessage } from './receivers.js';

/** What the sends of a race asked for, and the steps of each. */
export interface ExpectedSend {
  readonly sendId: string;
  readonly recipients: readonly string[];
  readonly channels: readonly string[];
}

/** The comparison of what was asked for, what is reported, and what arrived. */
export interface Comparison {
  /** Messages that were asked for. */
  readonly messages: number;
  /** Messages that arrived more than once, with the same delivery id: receivers recognize them. */
  readonly repeats: number;
  readonly deviations: readonly string[];
}

/**
 * Every recipient has exactly one delivery for each step; it is reported as sent; and of the channels with a receiver exactly
 * this delivery arrived, at least once.
 */
export function compareDeliveries(
  expected: readonly ExpectedSend[],
  reports: ReadonlyMap<string, SendReport>,
  received: readonly ReceivedMessage[],
): Comparison {
  const arrived = new Map<string, number>();
  for (const message of received) {
    const key = keyOf(message);
    arrived.set(key, (arrived.get(key) ?? 0) + 1);
  }
  const deviations: string[] = [];
  const known = new Set<string>();
  for (const send of expected) {
    const states = reports.get(send.sendId)?.recipient_states ?? [];
    const named = states.map(({ recipient }) => recipient).toSorted();
    if (named.join() !== [...send.recipients].toSorted().join())
      deviations.push(`${send.sendId} has ${named.length} recipients instead of ${send.recipients.length}`);
    for (const { recipient, deliveries } of states) {
      const steps = deliveries.map(({ channel, step, state }) => `${step} ${channel} ${state}`).toSorted();
      const wanted = send.channels.map((channel, step) => `${step} ${channel} sent`).toSorted();
      if (steps.join() !== wanted.join())
        deviations.push(`${recipient} has ${steps.join(', ') || 'no delivery'}`);
      for (const { channel, delivery_id: deliveryId } of deliveries) {
        if (channel !== 'email' && channel !== 'webhook') continue;
        const key = keyOf({ channel, recipient, deliveryId });
        known.add(key);
        if (!arrived.has(key)) deviations.push(`${key} never arrived`);
      }
    }
  }
  for (const key of arrived.keys()) if (!known.has(key)) deviations.push(`${key} was not asked for`);
  const repeats = received.length - arrived.size;
  const messages = expected.reduce(
    (sum, { recipients, channels }) => sum + recipients.length * channels.length,
    0,
  );
  return { messages, repeats, deviations };
}

function keyOf({ channel, recipient, deliveryId }: ReceivedMessage): string {
  return `${channel} ${deliveryId} to ${recipient}`;
}
