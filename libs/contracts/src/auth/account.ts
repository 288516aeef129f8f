import { EpochSeconds, Flag, HttpsUrl, IdOf, Name, OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** OPEN-30. */
export class Account {
  @IdOf('acc') account_id: string;
  @Name({ max: 255 }) organization_name: string;
  @OneOf(['active', 'suspended']) status: 'active' | 'suspended';
  @HttpsUrl({ nullable: true }) logo_url_light: string | null;
  @HttpsUrl({ nullable: true }) logo_url_dark: string | null;
  @EpochSeconds() created_at: number;
}

/** At least one of these. */
export class AccountChange {
  @Name({ max: 255, optional: true }) organization_name?: string;
  @HttpsUrl({ optional: true, nullable: true, description: 'Logo for light pages; null removes it.' })
  logo_url_light?: string | null;
  @HttpsUrl({ optional: true, nullable: true, description: 'Logo for dark pages; null removes it.' })
  logo_url_dark?: string | null;
}

export class DeletedLogo {
  @Flag({ description: 'Always true.' }) deleted: boolean;
}

export const readAccount = operation({
  name: 'auth.read-account',
  summary: 'The account of the caller.',
  http: { method: 'GET', path: '/v1/account', status: 200 },
  access: { credential: 'key' },
  reply: Account,
  repeatable: true,
});

export const updateAccount = operation({
  name: 'auth.update-account',
  summary: "Changes the organization's name or its logos; at least one field.",
  http: { method: 'PUT', path: '/v1/account', status: 200 },
  access: { credential: 'key', role: 'admin' },
  body: AccountChange,
  reply: Account,
});

export const deleteAccountLogo = operation({
  name: 'auth.delete-account-logo',
  summary: 'Removes both logos. Succeeds when there are none.',
  http: { method: 'DELETE', path: '/v1/account/logo', status: 200 },
  access: { credential: 'key', role: 'admin' },
  reply: DeletedLogo,
});
