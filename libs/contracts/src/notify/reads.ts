import { Example } from '../core/example.js';
import { Cursor, EpochSeconds, Flag, Int, ListOf, OneOf, Text, TextList } from '../core/fields.js';
import { operation } from '../core/operation.js';
import {
  interactionActions,
  verificationLevels,
  type InteractionAction,
  type VerificationLevel,
} from '../sparks/grant.js';
import { notifyChannels, type NotifyChannel } from './channels.js';
import { RECIPIENTS_MAX } from './recipient.js';

/** `partial`: some recipients were reached and others were not. */
export const sendStatuses = ['pending', 'delivering', 'delivered', 'partial', 'failed'] as const;
export type SendStatus = (typeof sendStatuses)[number];

/**
 * `queued`: due now or being retried. `scheduled`: a later step. `sent`: accepted by the provider. `skipped`: not needed, see
 * `reason`. `unconfigured`: no credentials for this channel. `failed`: permanently, see `reason`.
 */
export const deliveryStates = ['queued', 'scheduled', 'sent', 'skipped', 'unconfigured', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Path parameter of a send. Any text: malformed, unknown and foreign ids are answered alike (NTF-34). */
export class SendParams {
  @Text({ max: 512 }) send_id: string;
}

/** A send as lists show it. */
@Example({
  recipients: 1,
  status: 'delivered',
  title: null,
  category: null,
  type: null,
  channels: ['in_app', 'email'],
  seen: 1,
})
export class SendSummary {
  @Text({ max: 128 }) send_id: string;
  @Int({ min: 1 }) recipients: number;
  @OneOf(sendStatuses) status: SendStatus;
  @Text({ max: 200, nullable: true }) title: string | null;
  @Text({ max: 64, nullable: true }) category: string | null;
  @Text({ max: 64, nullable: true }) type: string | null;
  @TextList({ maxItems: 12, max: 16 }) channels: string[];
  @Int({ min: 0, description: 'Recipients who have opened their link.' }) seen: number;
  @EpochSeconds() created_at: number;
  @EpochSeconds({ description: 'When the links expire.' }) expires_at: number;
}

/** Query of `listSends`. */
export class InboxQuery {
  @Int({ min: 1, max: 100, optional: true }) limit = 50;
  @Cursor() cursor?: string;
}

/** A page of sends. */
export class Inbox {
  @ListOf(() => SendSummary) sends: SendSummary[];
  @Int({ min: 0 }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

/** Lists the sends of the account, newest first; never what others have sent to it (NTF-33, NTF-37). */
export const listSends = operation({
  name: 'notify.list-sends',
  summary: 'Lists the notifications that the account has sent, newest first.',
  http: { method: 'GET', path: '/v1/products/notify/inbox', status: 200 },
  access: { credential: 'key' },
  query: InboxQuery,
  reply: Inbox,
  cursor: 'next_cursor',
  repeatable: true,
});

/** The delivery of one step by one channel. */
@Example({
  channel: 'email',
  step: 0,
  state: 'sent',
  attempts: 1,
  reason: null,
  provider_id: null,
  due_at: null,
})
export class DeliveryReport {
  @Text({ max: 36, description: 'Stays the same in all attempts.' }) delivery_id: string;
  @OneOf(notifyChannels) channel: NotifyChannel;
  @Int({ min: 0 }) step: number;
  @OneOf(deliveryStates) state: DeliveryState;
  @Int({ min: 0 }) attempts: number;
  @Text({ max: 200, nullable: true, description: 'The code of the last failure, or why it was skipped.' })
  reason: string | null;
  @Text({ max: 200, nullable: true, description: 'The id that the provider gave to the message.' })
  provider_id: string | null;
  @EpochSeconds({ nullable: true }) due_at: number | null;
  @EpochSeconds({ nullable: true }) sent_at: number | null;
}

/** One recipient of a send. */
@Example({ grant: 'consumed', link_url: null, actions: ['view'] })
export class RecipientReport {
  @Text({ max: 254 }) recipient: string;
  @OneOf(['active', 'consumed', 'revoked', 'expired'], {
    nullable: true,
    description: 'null: the content was in the mail itself, in messages of the platform.',
  })
  grant: 'active' | 'consumed' | 'revoked' | 'expired' | null;
  @Text({
    max: 2_048,
    nullable: true,
    description:
      'For your own application, when the channels include in_app or websocket and the grant is active.',
  })
  link_url: string | null;
  @EpochSeconds({
    nullable: true,
    description: 'When the recipient opened the link, verified as the policy asks.',
  })
  seen_at: number | null;
  @TextList({ maxItems: 6, max: 16, description: 'Actions of the recipient so far.' }) actions: string[];
  @ListOf(() => DeliveryReport) deliveries: DeliveryReport[];
}

/** A send with the state of each recipient. */
export class SendReport extends SendSummary {
  @ListOf(() => RecipientReport, { max: RECIPIENTS_MAX }) recipient_states: RecipientReport[];
}

/** Reads a send. Unknown and foreign ids are answered alike (NTF-34, NTF-38). */
export const readSend = operation({
  name: 'notify.read-send',
  summary: 'Reads a send and the state of each recipient and channel.',
  http: { method: 'GET', path: '/v1/products/notify/sends/{send_id}', status: 200 },
  access: { credential: 'key' },
  params: SendParams,
  unknown: 'SEND_NOT_FOUND',
  reply: SendReport,
  errors: ['SEND_NOT_FOUND'],
  repeatable: true,
});

/** The signed receipt of one action. */
@Example({ action: 'acknowledge', action_hash: null, reply_spark_id: null })
export class Receipt {
  @Text({ max: 254 }) recipient: string;
  @OneOf(interactionActions) action: InteractionAction;
  @Text({ max: 64, nullable: true }) action_hash: string | null;
  @OneOf(verificationLevels) verification_level: VerificationLevel;
  @EpochSeconds() at: number;
  @Text({ max: 64, nullable: true, description: 'The Spark that holds the text of a reply, for 24 hours.' })
  reply_spark_id: string | null;
  @Text({ max: 4_096, description: 'A compact JWS (RFC 7515), EdDSA. Its key is in /.well-known/jwks.json.' })
  jws: string;
}

/** The receipts of a send, in the order of the actions. */
export class Receipts {
  @Text({ max: 128 }) send_id: string;
  @ListOf(() => Receipt) receipts: Receipt[];
  @Int({ min: 0 }) count: number;
}

/** Reads the receipts of a send (NTF-39). */
export const listReceipts = operation({
  name: 'notify.list-receipts',
  summary: 'Reads the signed receipts of what recipients did.',
  http: { method: 'GET', path: '/v1/products/notify/sends/{send_id}/receipts', status: 200 },
  access: { credential: 'key' },
  params: SendParams,
  unknown: 'SEND_NOT_FOUND',
  reply: Receipts,
  errors: ['SEND_NOT_FOUND'],
  repeatable: true,
});

/** Body of `replayDelivery`. */
export class DeliveryParams extends SendParams {
  @Text({ max: 64 }) delivery_id: string;
}

/** The delivery is queued again. */
export class ReplayedDelivery {
  @Text({ max: 36 }) delivery_id: string;
  @OneOf(['queued']) state: 'queued';
}

/** Queues a failed or unconfigured delivery again, under the same delivery id. A delivery in another state is 409. */
export const replayDelivery = operation({
  name: 'notify.replay-delivery',
  summary: 'Sends a failed delivery again.',
  http: {
    method: 'POST',
    path: '/v1/products/notify/sends/{send_id}/deliveries/{delivery_id}/replay',
    status: 202,
  },
  access: { credential: 'key' },
  params: DeliveryParams,
  unknown: 'SEND_NOT_FOUND',
  reply: ReplayedDelivery,
  errors: ['SEND_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'DELIVERY_NOT_FAILED'],
});
