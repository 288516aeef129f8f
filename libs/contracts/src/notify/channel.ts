import { Flag, OneOf } from '../core/fields.js';
import type { IdentityType } from '../core/identity.js';
import { operation } from '../core/operation.js';

/** Body of `readChannel`. */
export class ChannelQuery {
  @OneOf(['email', 'phone']) channel: IdentityType;
}

/** The state of a channel. */
export class ChannelState {
  @Flag({ description: 'Whether the operator has configured a sender. Otherwise messages stay queued.' })
  is_configured: boolean;
}

/** Reads whether messages to identities of this type are sent, for callers that must know it at once (OPEN-35). */
export const readChannel = operation({
  name: 'notify.read-channel',
  summary: 'Reads whether e-mails, or text messages, can be sent.',
  access: 'internal',
  callers: ['sparks'],
  body: ChannelQuery,
  reply: ChannelState,
  repeatable: true,
});
