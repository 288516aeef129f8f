import { IdOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

export class ActorQuestion {
  @IdOf('acc') account_id: string;
  @OneOf(['user', 'api_key']) kind: 'user' | 'api_key';
  @Text({ max: 64, description: 'The usr_ or key_ id.' }) actor_id: string;
}

export class ActorDescription {
  @Text({
    max: 320,
    nullable: true,
    description:
      'The address of a user, the name of an API key; null: the account has no such one, or no more.',
  })
  label: string | null;
}

/** Who somebody of an account is, for what people read. Removed users and revoked keys are nobody. */
export const describeActor = operation({
  name: 'auth.describe-actor',
  summary: 'The address of a user or the name of an API key of an account.',
  access: 'internal',
  body: ActorQuestion,
  reply: ActorDescription,
  repeatable: true,
});
