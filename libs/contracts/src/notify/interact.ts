import { Example } from '../core/example.js';
import { EpochSeconds, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { interactionActions, type InteractionAction } from '../sparks/grant.js';
import { LinkParams } from '../sparks/link.js';

/** Most characters of a reply. */
export const REPLY_MAX = 10_000;

/** Body of `interact` (OPEN-64). */
@Example({ interaction_token: 'xNRuVTvhn1F13uzefmRrhnzkMsYHvJnKh90EIVYB8lc', action: 'acknowledge' })
export class NewInteraction {
  @Text({ max: 128, raw: true, description: 'From the opening of the link.' }) interaction_token: string;
  @OneOf(interactionActions) action: InteractionAction;
  @Text({
    max: 64,
    optional: true,
    nullable: true,
    description: 'From the opening. Required for sign, approve and deny. null: absent.',
  })
  action_hash?: string | null;
  @Text({
    min: 1,
    max: REPLY_MAX,
    optional: true,
    nullable: true,
    raw: true,
    description: 'Required for reply; sealed for the sender. null: absent.',
  })
  reply?: string | null;
}

/** The signed receipt of the action. */
@Example({ action: 'acknowledge' })
export class InteractionReceipt {
  @OneOf(interactionActions) action: InteractionAction;
  @EpochSeconds() at: number;
  @Text({ max: 4_096, description: 'A compact JWS (RFC 7515), EdDSA. Its key is in /.well-known/jwks.json.' })
  jws: string;
}

/**
 * Records what a recipient does after opening the link. Each action counts once: a repetition returns the first receipt. Of
 * sign, approve and deny the first one counts; another one is 409. Those of a file that was replaced since are 409, too.
 */
export const interact = operation({
  name: 'notify.interact',
  summary: 'Records an action of the recipient and returns its signed receipt.',
  http: { method: 'POST', path: '/{link_code}/interact', surface: 'links', status: 200 },
  access: { credential: 'none' },
  params: LinkParams,
  unknown: 'LINK_NOT_FOUND',
  body: NewInteraction,
  bodyBytesMax: 65_536,
  reply: InteractionReceipt,
  bare: true,
  errors: [
    'LINK_NOT_FOUND',
    'INTERACTION_TOKEN_INVALID',
    'INTERACTION_REFUSED',
    'ACTION_HASH_MISMATCH',
    'INGOT_REPLACED',
    'INTERACTION_DECIDED',
  ],
});
