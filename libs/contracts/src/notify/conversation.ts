import { exampleId } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { EpochSeconds, Flag, Int, ListOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { InboxQuery, Receipt, SendParams, SendSummary } from './reads.js';

/** A send that asks its recipients for a reply (OPEN-33). */
@Example({ reply_count: 1 })
export class Conversation extends SendSummary {
  @Int({ min: 0, description: 'Recipients who have replied.' }) reply_count: number;
}

/** A page of conversations. */
export class ConversationPage {
  @ListOf(() => Conversation) conversations: Conversation[];
  @Int({ min: 0 }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

/** Lists the sends of the account with the interaction `reply`, newest first. */
export const listConversations = operation({
  name: 'notify.list-conversations',
  summary: 'Lists the notifications that ask for a reply, newest first, with the number of replies.',
  http: { method: 'GET', path: '/v1/messaging/conversations', status: 200 },
  access: { credential: 'key' },
  query: InboxQuery,
  reply: ConversationPage,
  cursor: 'next_cursor',
  repeatable: true,
});

/** The reply of a recipient. Its text is a Spark of the account, which is read once, within 24 hours. */
@Example({ reply_spark_id: exampleId('spk') })
export class Reply {
  @Text({ max: 254 }) recipient: string;
  @Text({ max: 64, nullable: true, description: 'The Spark with the text.' }) reply_spark_id: string | null;
  @EpochSeconds() at: number;
}

/** A conversation with its replies, and the receipts of all that its recipients did. */
export class ConversationDetails extends Conversation {
  @ListOf(() => Reply) replies: Reply[];
  @ListOf(() => Receipt) receipts: Receipt[];
}

/** Reads a conversation. Unknown and foreign ids, and sends that ask for no reply, are answered alike. */
export const readConversation = operation({
  name: 'notify.read-conversation',
  summary: 'Reads a notification that asks for a reply, its replies and its receipts.',
  http: { method: 'GET', path: '/v1/messaging/conversations/{send_id}', status: 200 },
  access: { credential: 'key' },
  params: SendParams,
  unknown: 'SEND_NOT_FOUND',
  reply: ConversationDetails,
  errors: ['SEND_NOT_FOUND'],
  repeatable: true,
});
