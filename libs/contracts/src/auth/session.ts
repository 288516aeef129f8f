import { IdOf, Name, Nested, OneOf, Text } from '../core/fields.js';
import type { ErrorReason } from '../core/errors.js';

/** OPEN-06: nothing that opens or ends a session is larger. */
export const SESSION_BODY_BYTES_MAX = 65_536;

export const roles = ['owner', 'admin', 'member'] as const;
export const seats = ['full', 'viewer'] as const;

/** The person, as a session shows it (AUTH-07). */
export class SessionUser {
  @IdOf('usr') user_id: string;
  @Text({ max: 254 }) email: string;
  @Text({ max: 255 }) name: string;
  @OneOf(roles) role: (typeof roles)[number];
}

/** The organization, as a session shows it (AUTH-07). */
export class SessionAccount {
  @IdOf('acc') account_id: string;
  @Name({ max: 255 }) organization_name: string;
  @OneOf(['active', 'suspended']) status: 'active' | 'suspended';
}

/** A session has been opened. Without user and account it is identity-only: complete the sign-up (AUTH-06). */
export class OpenedSession {
  @Text({ max: 4_096, description: 'For `Authorization: Bearer`, valid for an hour.' }) access_token: string;
  @Text({
    max: 1_024,
    optional: true,
    description: 'Single use, valid for 30 days. Absent for browsers: theirs is in a cookie.',
  })
  refresh_token?: string;
  @Nested(() => SessionUser, { nullable: true }) user: SessionUser | null;
  @Nested(() => SessionAccount, { nullable: true }) account: SessionAccount | null;
}

/** What the provider or our own rules may say to a sign-in. */
export const signInErrors = [
  'IDENTITY_REFUSED',
  'EMAIL_NOT_VERIFIED',
  'ACCOUNT_SUSPENDED',
  'ORIGIN_REFUSED',
] as const satisfies readonly ErrorReason[];
