import { event } from '../core/event.js';
import { IdOf, OneOf, Text } from '../core/fields.js';
import { roles, seats } from './session.js';

const actor = { max: 40, description: 'The user or the API key that did it.' } as const;
const sessionId = { max: 36, description: 'The session family.' } as const;

/** An account exists from now on; its owner comes as `auth.user-added` of the same transaction. */
export class AccountCreated {
  @IdOf('acc') account_id: string;
}

export class AccountChanged {
  @IdOf('acc') account_id: string;
  @Text(actor) actor_id: string;
}

/** A user takes a seat of the account's identity pool, or gives it back. */
export class UserAdded {
  @IdOf('acc') account_id: string;
  @IdOf('usr') user_id: string;
}

/** The user_id alone: whoever writes to the person asks auth for the address. */
export class UserInvited extends UserAdded {
  @Text(actor) actor_id: string;
}

/** The first sign-in of an invited person. */
export class UserJoined extends UserAdded {}

/** Role and seat as they are from now on. */
export class UserChanged extends UserInvited {
  @OneOf(roles) role: (typeof roles)[number];
  @OneOf(seats) seat: (typeof seats)[number];
}

export class ApiKeyChanged {
  @IdOf('acc') account_id: string;
  @IdOf('key') api_key_id: string;
  @Text(actor) actor_id: string;
}

export class DomainChanged {
  @IdOf('acc') account_id: string;
  @Text({ max: 253 }) domain: string;
  @Text(actor) actor_id: string;
}

/** Of a full session; sign-ins without an account have nobody's audit trail to stand in. */
export class SessionChanged {
  @IdOf('acc') account_id: string;
  @IdOf('usr') user_id: string;
  @Text(sessionId) session_id: string;
  @Text({ max: 45, nullable: true }) client_ip: string | null;
  @Text({ max: 256, nullable: true }) user_agent: string | null;
}

export const accountCreated = event({
  name: 'auth.account-created',
  payload: AccountCreated,
  consumers: ['reporting'],
});
export const accountChanged = event({ name: 'auth.account-changed', payload: AccountChanged, consumers: [] });
export const settingsChanged = event({
  name: 'auth.settings-changed',
  payload: AccountChanged,
  consumers: [],
});
export const userAdded = event({ name: 'auth.user-added', payload: UserAdded, consumers: ['reporting'] });
export const userInvited = event({ name: 'auth.user-invited', payload: UserInvited, consumers: ['notify'] });
export const userJoined = event({ name: 'auth.user-joined', payload: UserJoined, consumers: [] });
export const userChanged = event({ name: 'auth.user-changed', payload: UserChanged, consumers: [] });
export const userRemoved = event({
  name: 'auth.user-removed',
  payload: UserInvited,
  consumers: ['reporting', 'vaults'],
});
export const apiKeyCreated = event({ name: 'auth.api-key-created', payload: ApiKeyChanged, consumers: [] });
export const apiKeyRevoked = event({ name: 'auth.api-key-revoked', payload: ApiKeyChanged, consumers: [] });
export const domainClaimed = event({ name: 'auth.domain-claimed', payload: DomainChanged, consumers: [] });
export const domainReleased = event({ name: 'auth.domain-released', payload: DomainChanged, consumers: [] });
export const sessionOpened = event({ name: 'auth.session-opened', payload: SessionChanged, consumers: [] });
export const sessionEnded = event({ name: 'auth.session-ended', payload: SessionChanged, consumers: [] });
/** A refresh token came back after its time: the session was ended, because somebody else may hold it. */
export const sessionReplayed = event({
  name: 'auth.session-replayed',
  payload: SessionChanged,
  consumers: [],
});
