import { event } from '../core/event.js';
import { Example } from '../core/example.js';
import { Flag, IdOf, JsonObject, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { AccountChanged } from './account.js';

/** Largest settings in bytes of JSON text. */
export const SETTINGS_BYTES_MAX = 65_536;

/** Settings of an account as JSON: keys of the product and keys of its users. */
@Example({ settings: { theme: 'dark' } })
export class AccountSettings {
  @JsonObject({ bytesMax: SETTINGS_BYTES_MAX }) settings: Record<string, unknown>;
}

/** Reads the settings of the account. */
export const readSettings = operation({
  name: 'auth.read-settings',
  summary: 'Reads the settings of the account.',
  http: { method: 'GET', path: '/v1/settings', status: 200 },
  access: { credential: 'key' },
  reply: AccountSettings,
  repeatable: true,
});

/** Body of `readLinkPolicy`. */
export class LinkPolicyQuery {
  @IdOf('acc') account_id: string;
}

/** Settings of an account that apply to its links. */
export class LinkPolicy {
  @Flag({ description: 'The setting `links_ask_first`: a visitor must confirm before a link is opened.' })
  asks_first: boolean;
  @Flag({ description: 'The setting `links_show_organization`: visitors read the name of the organization.' })
  shows_organization: boolean;
  @Text({ max: 255, description: 'For messages.' }) organization_name: string;
}

/** Reads the link policy of an account. For an unknown account all are off and the name is empty. */
export const readLinkPolicy = operation({
  name: 'auth.read-link-policy',
  summary: 'Reads the settings of an account that apply to its SparkLinks.',
  access: 'internal',
  callers: ['sparks', 'notify'],
  body: LinkPolicyQuery,
  reply: LinkPolicy,
  repeatable: true,
});

/** Body of `describeOwner`. */
export class OwnerQuery {
  @IdOf('acc') account_id: string;
}

/** The person to whom messages about an account are sent, and who takes over what nobody else is responsible for. */
export class AccountOwner {
  @IdOf('usr', {
    nullable: true,
    optional: true,
    description: 'null: no owner has signed in. Absent: of an older instance.',
  })
  user_id?: string | null;
  @Text({ max: 254, nullable: true, description: 'null: the account is unknown.' }) email: string | null;
}

/** Reads the owner of an account: of several the first; that of the first account also before its first sign-in. */
export const describeOwner = operation({
  name: 'auth.describe-owner',
  summary: 'Reads id and e-mail address of the owner of an account.',
  access: 'internal',
  callers: ['sparks', 'integrations'],
  body: OwnerQuery,
  reply: AccountOwner,
  repeatable: true,
});

/** Merges settings. */
export const updateSettings = operation({
  name: 'auth.update-settings',
  summary: 'Merges the given settings into those of the account, key by key; null removes a key.',
  http: { method: 'PUT', path: '/v1/settings', status: 200 },
  access: { credential: 'key', role: 'admin' },
  body: AccountSettings,
  reply: AccountSettings,
});

export const settingsChanged = event({
  name: 'auth.settings-changed',
  payload: AccountChanged,
  consumers: ['reporting'],
});
