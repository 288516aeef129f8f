import { event } from '../core/event.js';
import { IdOf, Text } from '../core/fields.js';

/** An account exists from now on; its owner comes as `auth.user-added` of the same transaction. */
export class AccountCreated {
  @IdOf('acc') account_id: string;
}

/** A user takes a seat of the account's identity pool. */
export class UserAdded {
  @IdOf('acc') account_id: string;
  @IdOf('usr') user_id: string;
}

export class ApiKeyChanged {
  @IdOf('acc') account_id: string;
  @IdOf('key') api_key_id: string;
  @Text({ max: 40, description: 'The user or the API key that did it.' }) actor_id: string;
}

export const accountCreated = event({ name: 'auth.account-created', payload: AccountCreated });
export const userAdded = event({ name: 'auth.user-added', payload: UserAdded });
export const apiKeyCreated = event({ name: 'auth.api-key-created', payload: ApiKeyChanged });
export const apiKeyRevoked = event({ name: 'auth.api-key-revoked', payload: ApiKeyChanged });
