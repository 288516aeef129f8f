import { Flag, IdOf, ListOf, OneOf, Text, TextList } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** Body of `resolveCredential`. */
export class CredentialReference {
  @OneOf(['api_key', 'session']) kind: 'api_key' | 'session';
  @Text({ min: 1, max: 128, description: 'The lookup hash of the API key in hex, or the id of the session.' })
  key: string;
}

/** Whether a credential is valid. */
export class ResolvedCredential {
  /** Whether the credential is valid now. If so, its record is in Redis. */
  @Flag() found: boolean;
}

/** Loads the record of a credential into Redis; called when the gateway misses it there. Idempotent. */
export const resolveCredential = operation({
  name: 'auth.resolve-credential',
  summary: 'Writes the current record of a credential to Redis, by which the gateway admits requests.',
  access: 'internal',
  callers: ['gateway'],
  body: CredentialReference,
  reply: ResolvedCredential,
  errors: ['BUSY'],
  repeatable: true,
});

/** Body of `describeActor`. */
export class ActorRef {
  @IdOf('acc') account_id: string;
  @OneOf(['user', 'api_key']) kind: 'user' | 'api_key';
  @Text({ max: 64, description: 'The usr_ or key_ id.' }) actor_id: string;
}

/** The display name of an actor. */
export class ActorDescription {
  @Text({
    max: 320,
    nullable: true,
    description:
      'The e-mail address of a user or the name of an API key; null if the account has no such actor.',
  })
  label: string | null;
}

/** Reads the display name of an actor. Removed users and revoked keys have none. */
export const describeActor = operation({
  name: 'auth.describe-actor',
  summary: 'Reads the e-mail address of a user or the name of an API key.',
  access: 'internal',
  callers: ['sparks', 'vaults'],
  body: ActorRef,
  reply: ActorDescription,
  repeatable: true,
});

/** Most actors of one call of `describeActors`. */
export const ACTORS_MAX = 100;

/** Body of `describeActors`. */
export class ActorIds {
  @IdOf('acc') account_id: string;
  @TextList({ maxItems: ACTORS_MAX, max: 64, description: 'usr_ and key_ ids.' }) actor_ids: string[];
}

/** An actor with its display name. */
export class NamedActor {
  @Text({ max: 64 }) actor_id: string;
  @Text({ max: 320, description: 'The e-mail address of a user or the name of an API key.' }) label: string;
}

/** The actors of the account among those asked for, in any order. */
export class NamedActors {
  @ListOf(() => NamedActor, { max: ACTORS_MAX }) actors: NamedActor[];
}

/** Reads display names for lists and for the audit log, those of revoked keys included. Removed users have none. */
export const describeActors = operation({
  name: 'auth.describe-actors',
  summary: 'Reads the e-mail addresses of users and the names of API keys.',
  access: 'internal',
  callers: ['sparks', 'reporting'],
  body: ActorIds,
  reply: NamedActors,
  repeatable: true,
});
