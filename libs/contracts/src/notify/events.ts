import { Actor, ExactActor } from '../core/actor.js';
import { event } from '../core/event.js';
import { EpochSeconds, IdOf, Int, OneOf, Text, TextList } from '../core/fields.js';
import {
  interactionActions,
  verificationLevels,
  type InteractionAction,
  type VerificationLevel,
} from '../sparks/grant.js';

/** Payload of `grantsRecalled`: grants of a send that failed or was accepted in part (NTF-29). */
export class RecalledGrants {
  @IdOf('acc') account_id: string;
  @TextList({ maxItems: 500, max: 36 }) link_ids: string[];
  @TextList({ maxItems: 500, max: 64 }) spark_ids: string[];
}

/** Sparks revokes the links and destroys the Sparks, also those that are minted after the event. */
export const grantsRecalled = event({
  name: 'notify.grants-recalled',
  payload: RecalledGrants,
  consumers: ['sparks'],
});

/** Payload of `interacted`. */
export class RecipientInteraction {
  @IdOf('acc') account_id: string;
  @Text({ max: 36 }) link_id: string;
  @Text({ max: 64, description: 'The Spark or ingot.' }) asset_id: string;
  @Text({ max: 128 }) send_id: string;
  @OneOf(interactionActions) action: InteractionAction;
  @OneOf(verificationLevels) verification_level: VerificationLevel;
  @Text({ max: 254, nullable: true }) verified_by: string | null;
  @Text({ max: 64, description: 'The id of the receipt.' }) receipt_id: string;
  @EpochSeconds() at: number;
}

/** For the audit log: sparklink_signed, _approved, _denied, _replied; acknowledge is a sparklink_accessed (OPEN-64). */
export const interacted = event({
  name: 'notify.interacted',
  payload: RecipientInteraction,
  consumers: ['reporting'],
});

/** Payload of `sendAccepted`: figures, and nothing of content, title or addresses. */
export class AcceptedSending {
  @IdOf('acc') account_id: string;
  @Text({ max: 128 }) send_id: string;
  @TextList({ maxItems: 20, max: 20 }) channels: string[];
  @Int({ min: 1 }) recipient_count: number;
  @OneOf(['api_key', 'session', 'system']) actor_type: 'api_key' | 'session' | 'system';
  @Text({ max: 64, nullable: true }) actor_id: string | null;
  @ExactActor() actor?: Actor;
}

/** A send was accepted, for the audit log: notify_sent (OPEN-28). Once for each send, however often it is repeated. */
export const sendAccepted = event({
  name: 'notify.send-accepted',
  payload: AcceptedSending,
  consumers: ['reporting'],
});
