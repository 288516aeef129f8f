import { IdOf, Int } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** Body of `drawMessages`: how many messages a send causes, its later steps included. */
export class MessageDraw {
  @IdOf('acc') account_id: string;
  @Int({ min: 0, description: 'E-mails.' }) mails: number;
  @Int({ min: 0, description: 'Text messages and calls, whatever carries them.' }) texts: number;
  @Int({ min: 0, description: 'Messages by any other channel.' }) others: number;
}

/** The messages are counted. */
export class DrawnMessages {}

/**
 * Counts messages against the hourly budgets of the account, which they share with those about links; all or none. Throws
 * MESSAGES_EXHAUSTED if they do not fit. A draw is not given back: it bounds what is asked for, not what arrives.
 */
export const drawMessages = operation({
  name: 'sparks.draw-messages',
  summary: 'Counts the messages of a send against the hourly budgets of its account.',
  access: 'internal',
  callers: ['notify'],
  body: MessageDraw,
  reply: DrawnMessages,
  errors: ['MESSAGES_EXHAUSTED'],
});
