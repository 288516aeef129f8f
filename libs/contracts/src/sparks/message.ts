import { event } from '../core/event.js';
import { EpochSeconds, IdOf, OneOf, Text } from '../core/fields.js';
import type { IdentityType } from '../core/identity.js';
import { operation } from '../core/operation.js';

/**
 * `invitation`: the recipient may open a link; `delivery`: a one-time link; `code`: a verification code; `lockout`: to the
 * owner, that wrong codes have closed a link for an identity.
 */
export const messageKinds = ['invitation', 'delivery', 'code', 'lockout'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** Body of `describeMessage`. */
export class MessageRef {
  @Text({ max: 36 }) message_id: string;
  /** Of the link. Notify of the release before does not say it. */
  @IdOf('acc', { optional: true }) account_id?: string;
}

/** Recipient and content of a message, as they are when it is sent. */
export class LinkMessage {
  @OneOf(messageKinds) kind: MessageKind;
  @OneOf(['email', 'phone']) channel: IdentityType;
  @Text({ max: 254, description: 'The e-mail address or phone number.' }) to: string;
  @OneOf(['spark', 'ingot']) link_type: 'spark' | 'ingot';
  @Text({ max: 255, description: 'Of the account that owns the link; empty if it is unknown.' })
  organization_name: string;
  @Text({ max: 2_048, nullable: true, description: 'Of invitations and deliveries.' }) link_url:
    | string
    | null;
  @Text({ max: 6, nullable: true, description: 'Of codes.' }) code: string | null;
  @Text({ max: 254, nullable: true, description: 'Of lockouts: the identity that is locked out.' })
  identity: string | null;
  @Text({ max: 64, description: 'The Spark or ingot.' }) asset_id: string;
  @EpochSeconds({ nullable: true, description: 'When the link or the code expires, or the lockout ends.' })
  expires_at: number | null;
}

/** Reads a message. LINK_NOT_FOUND if the invite was revoked, the link has ended, or the code or lockout has expired. */
export const describeMessage = operation({
  name: 'sparks.describe-message',
  summary: 'Reads recipient and content of a message.',
  access: 'internal',
  callers: ['notify'],
  body: MessageRef,
  reply: LinkMessage,
  errors: ['LINK_NOT_FOUND'],
  repeatable: true,
});

/** A message to send. Streams keep events, so recipient and content are read with `describeMessage` instead. */
export class MessageOwed {
  @IdOf('acc') account_id: string;
  @Text({ max: 36 }) message_id: string;
  @OneOf(messageKinds) kind: MessageKind;
  @OneOf(['email', 'phone']) channel: IdentityType;
}

export const messageOwed = event({
  name: 'sparks.message-owed',
  payload: MessageOwed,
  consumers: ['notify'],
});
