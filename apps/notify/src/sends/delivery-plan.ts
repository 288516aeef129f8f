import type { NotifyChannel } from '@vaultsvc/contracts/notify';

/** The channel of one step, and its delay after the acceptance of the send. */
export interface PlannedDelivery {
  readonly channel: NotifyChannel;
  readonly step: number;
  readonly delaySeconds: number;
}

/**
 * The steps of a send: each channel in its order with the delay of the same position (NTF-14). Channels beyond the last delay
 * join its step; delays beyond the last channel repeat it as reminders. The first step is immediate. Without escalation only
 * the primary channel is used (NTF-16).
 */
export function planDeliveries(
  channels: readonly NotifyChannel[],
  delays: readonly number[],
  isEscalated: boolean,
): PlannedDelivery[] {
  const distinct = [...new Set(channels)];
  const [primary] = distinct;
  if (!primary) return [];
  if (!isEscalated) return [{ channel: primary, step: 0, delaySeconds: 0 }];
  const ladder = [0, ...delays.slice(1)];
  const count = Math.max(distinct.length, ladder.length);
  return Array.from({ length: count }, (_, index) => {
    const step = Math.min(index, ladder.length - 1);
    const channel = distinct[Math.min(index, distinct.length - 1)] as NotifyChannel;
    return { channel, step, delaySeconds: ladder[step] as number };
  });
}
