import { EXAMPLE_REFRESH_TOKEN } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { IdOf, Name, Nested, OneOf, Text } from '../core/fields.js';
import { roles } from './user.js';

/** Largest body, in bytes, of operations that open, renew or end a session (OPEN-06). */
export const SESSION_BODY_BYTES_MAX = 65_536;

/** The user of a session (AUTH-07). */
@Example({ name: 'Ana Example' })
export class SessionUser {
  @IdOf('usr') user_id: string;
  @Text({ max: 254 }) email: string;
  @Text({ max: 255 }) name: string;
  @OneOf(roles) role: (typeof roles)[number];
}

/** The account of a session (AUTH-07). */
export class SessionAccount {
  @IdOf('acc') account_id: string;
  @Name({ max: 255 }) organization_name: string;
  @OneOf(['active', 'suspended']) status: 'active' | 'suspended';
}

/** The tokens of a new session. */
@Example({ refresh_token: EXAMPLE_REFRESH_TOKEN })
class SessionTokens {
  @Text({ max: 4_096, description: 'For `Authorization: Bearer`; valid for one hour.' }) access_token: string;
  @Text({
    max: 1_024,
    optional: true,
    description: 'Single-use, valid for 30 days. Absent for browsers, which receive it in a cookie.',
  })
  refresh_token?: string;
}

/** A new session. Without user and account it is identity-only: the sign-up is still to be completed (AUTH-06). */
export class OpenedSession extends SessionTokens {
  @Nested(() => SessionUser, { nullable: true }) user: SessionUser | null;
  @Nested(() => SessionAccount, { nullable: true }) account: SessionAccount | null;
}

/** A new session of a user: the sign-up is complete, or an invitation accepted (AUTH-11, OPEN-59). */
export class RegisteredSession extends SessionTokens {
  @Nested(() => SessionUser) user: SessionUser;
  @Nested(() => SessionAccount) account: SessionAccount;
}
