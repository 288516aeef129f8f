import { channelTexts } from '../../../texts/notifications.js';
import { sendTexts as texts } from '../../../texts/notify-send.js';
import { momentText } from '../../../ui/format.js';
import type { BadgeKind } from '../../../ui/list.js';
import type { Delivery, RecipientState } from './send-report.js';

/** The state of a recipient in a few words: what they did, or how far the messages came. */
export function recipientState(recipient: RecipientState): {
  readonly kind: BadgeKind;
  readonly text: string;
} {
  const { grant, actions, seen_at: seen, deliveries } = recipient;
  const answer = actions.filter((action) => action !== 'view').at(-1);
  if (answer) return { kind: answer === 'deny' ? 'bad' : 'good', text: texts.did[answer] ?? answer };
  if (seen !== null) return { kind: 'good', text: texts.opened(momentText(seen)) };
  if (grant === 'revoked') return { kind: 'plain', text: texts.withdrawn };
  if (grant === 'expired') return { kind: 'plain', text: texts.expired };
  if (deliveries.some(({ state }) => state === 'sent')) return { kind: 'warn', text: texts.waiting };
  const isMoving = deliveries.some(({ state }) => state === 'queued' || state === 'scheduled');
  return isMoving ? { kind: 'plain', text: texts.onItsWay } : { kind: 'bad', text: texts.notReached };
}

/** A message of one channel: its state, when, and why. */
export function deliveryText({
  channel,
  state,
  reason,
  sent_at: sent,
  due_at: due,
  attempts,
}: Delivery): string {
  const facts = [
    texts.states[state],
    state === 'sent' && sent !== null && momentText(sent),
    state === 'scheduled' && due !== null && momentText(due),
    reason !== null && (texts.reasons[reason] ?? reason),
    attempts > 1 && texts.attempts(attempts),
  ];
  return `${channelTexts[channel]}: ${facts.filter(Boolean).join(', ')}`;
}

/** Only these are queued again by the API. */
export const canRetry = ({ state }: Delivery): boolean => state === 'failed' || state === 'unconfigured';
