import { JsonObject } from '../core/fields.js';
import { operation } from '../core/operation.js';

export const SETTINGS_BYTES_MAX = 65_536;

/** Settings of the account: keys of the product and of its users, as JSON. */
export class AccountSettings {
  @JsonObject({ bytesMax: SETTINGS_BYTES_MAX }) settings: Record<string, unknown>;
}

export const readSettings = operation({
  name: 'auth.read-settings',
  summary: 'The settings of the account.',
  http: { method: 'GET', path: '/v1/settings', status: 200 },
  access: { credential: 'key' },
  reply: AccountSettings,
  repeatable: true,
});

export const updateSettings = operation({
  name: 'auth.update-settings',
  summary: 'Merges settings into those of the account, key by key; null removes a key.',
  http: { method: 'PUT', path: '/v1/settings', status: 200 },
  access: { credential: 'key', role: 'admin' },
  body: AccountSettings,
  reply: AccountSettings,
});
