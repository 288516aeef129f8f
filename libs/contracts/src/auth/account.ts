import { event } from '../core/event.js';
import { Example } from '../core/example.js';
import { EpochSeconds, Flag, HttpsUrl, IdOf, Name, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** The actor of a change, in payloads of events. */
export const ActorField = () => Text({ max: 40, description: 'The user or API key that caused the event.' });

/** An account (OPEN-30). */
@Example({ logo_url_light: null, logo_url_dark: null })
export class Account {
  @IdOf('acc') account_id: string;
  @Name({ max: 255 }) organization_name: string;
  @OneOf(['active', 'suspended']) status: 'active' | 'suspended';
  @HttpsUrl({ nullable: true }) logo_url_light: string | null;
  @HttpsUrl({ nullable: true }) logo_url_dark: string | null;
  @EpochSeconds() created_at: number;
}

/** Reads the account of the caller. */
export const readAccount = operation({
  name: 'auth.read-account',
  summary: 'Reads the account of the caller.',
  http: { method: 'GET', path: '/v1/account', status: 200 },
  access: { credential: 'key' },
  callers: ['integrations'],
  reply: Account,
  repeatable: true,
});

/** Body of `updateAccount`: at least one field. */
@Example({ organization_name: 'Example Ltd.' })
export class AccountChange {
  @Name({ max: 255, optional: true }) organization_name?: string;
  @HttpsUrl({ optional: true, nullable: true, description: 'Logo for light pages; null removes it.' })
  logo_url_light?: string | null;
  @HttpsUrl({ optional: true, nullable: true, description: 'Logo for dark pages; null removes it.' })
  logo_url_dark?: string | null;
}

/** Changes the account of the caller. */
export const updateAccount = operation({
  name: 'auth.update-account',
  summary: 'Changes the name of the organization, its logos, or both; at least one field is required.',
  http: { method: 'PUT', path: '/v1/account', status: 200 },
  access: { credential: 'key', role: 'admin' },
  body: AccountChange,
  reply: Account,
});

/** Both logos are removed. */
export class DeletedLogo {
  @Flag({ description: 'Always true.' }) deleted: boolean;
}

/** Removes both logos. */
export const deleteAccountLogo = operation({
  name: 'auth.delete-account-logo',
  summary: 'Removes both logos. Succeeds if there are none.',
  http: { method: 'DELETE', path: '/v1/account/logo', status: 200 },
  access: { credential: 'key', role: 'admin' },
  reply: DeletedLogo,
});

/** Payload of `accountCreated`. Its owner is in the `auth.user-added` of the same transaction. */
export class AccountCreated {
  @IdOf('acc') account_id: string;
}

/** Payload of changes of an account or its settings. */
export class AccountChanged {
  @IdOf('acc') account_id: string;
  @ActorField() actor_id: string;
}

export const accountCreated = event({
  name: 'auth.account-created',
  payload: AccountCreated,
  consumers: ['reporting'],
});
export const accountChanged = event({
  name: 'auth.account-changed',
  payload: AccountChanged,
  consumers: ['reporting'],
});
