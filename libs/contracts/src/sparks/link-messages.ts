import { event } from '../core/event.js';
import { EpochSeconds, IdOf, OneOf, Text } from '../core/fields.js';
import type { IdentityType } from '../core/identity.js';
import { operation } from '../core/operation.js';

/** `invitation`: open this, you are invited; `delivery`: this was sent to you; `code`: the one-time code. */
export const messageKinds = ['invitation', 'delivery', 'code'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** Somebody is to be written to. To whom and what crosses in `describeMessage` and never here. */
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

export class MessageRef {
  @Text({ max: 36 }) message_id: string;
}

/** What a message says, at the moment it is sent. */
export class LinkMessage {
  @OneOf(messageKinds) kind: MessageKind;
  @OneOf(['email', 'phone']) channel: IdentityType;
  @Text({ max: 254, description: 'The address or the number.' }) to: string;
  @OneOf(['spark', 'ingot']) link_type: 'spark' | 'ingot';
  @Text({ max: 255, description: 'Of the account whose link it is; empty when nobody knows it.' })
  organization_name: string;
  @Text({ max: 2_048, nullable: true, description: 'Of invitations and deliveries.' }) link_url:
    string | null;
  @Text({ max: 6, nullable: true, description: 'Of codes.' }) code: string | null;
  @EpochSeconds({ nullable: true, description: 'Until when the link, or the code, is good.' })
  expires_at: number | null;
}

/** LINK_NOT_FOUND when there is nothing to say any more: the invite was withdrawn, the link is over, the code expired. */
export const describeMessage = operation({
  name: 'sparks.describe-message',
  summary: 'Whom to write to, and about what.',
  access: 'internal',
  body: MessageRef,
  reply: LinkMessage,
  errors: ['LINK_NOT_FOUND'],
  repeatable: true,
});
