import { serviceContext, type CallContext } from '@vaultsvc/contracts';
import type { NotifyChannel } from '@vaultsvc/contracts/notify';
import { drawMessages } from '@vaultsvc/contracts/sparks';
import type { Bus } from '@vaultsvc/messaging';
import type { PlannedDelivery } from './delivery-plan.js';
import type { Recipient } from '../recipients/recipient.js';

/** The hourly budgets of an account that messages are drawn from. */
type Budget = 'mails' | 'texts' | 'others';

const PHONE: readonly NotifyChannel[] = ['sms', 'voice', 'whatsapp', 'rcs'];

/** A send whose messages are counted; `plan`: its steps over channels that have credentials. */
export interface PlannedMessages {
  readonly accountId: string;
  readonly recipients: readonly Pick<Recipient, 'email' | 'phone'>[];
  readonly plan: readonly Pick<PlannedDelivery, 'channel'>[];
}

/** The messages of all steps by budget, later steps included. A recipient without an address of a channel gets none by it. */
export function countMessages({ recipients, plan }: PlannedMessages): Readonly<Record<Budget, number>> {
  const counts = { mails: 0, texts: 0, others: 0 };
  for (const { channel } of plan) {
    const budget = budgetOf(channel);
    counts[budget] += recipients.filter((one) => isReachable(one, budget)).length;
  }
  return counts;
}

/** Draws the messages of a send from the hourly budgets of its account. Throws MESSAGES_EXHAUSTED if they do not fit. */
export async function drawFor(
  bus: Bus,
  planned: PlannedMessages,
  context: Pick<CallContext, 'requestId' | 'deadlineMs'>,
): Promise<void> {
  const body = { account_id: planned.accountId, ...countMessages(planned) };
  await bus.call(drawMessages, { body }, serviceContext(context));
}

function budgetOf(channel: NotifyChannel): Budget {
  if (channel === 'email') return 'mails';
  return PHONE.includes(channel) ? 'texts' : 'others';
}

function isReachable({ email, phone }: Pick<Recipient, 'email' | 'phone'>, budget: Budget): boolean {
  if (budget === 'others') return true;
  return (budget === 'mails' ? email : phone) !== null;
}
