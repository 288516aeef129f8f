import { Injectable } from '@nestjs/common';
import { newId } from '@vaultsvc/crypto/encoding';
import { statement, type Queryable } from '@vaultsvc/database';
import { emailKey } from '../accounts/email.js';
import type { ProvedIdentity } from './proved-identity.js';

/** A person at the provider, as the newest sign-in described them. */
export interface Identity {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

/** A user by id, with the account that the user belongs to. */
export interface AccountUser {
  readonly userId: string;
  readonly accountId: string;
}

export interface KnownUser extends AccountUser {
  /** Of the account. */
  readonly isSuspended: boolean;
}

/**
 * People at the provider, and which user each of them is. Locks are always taken in this order: identity, then user;
 * no method waits for an identity while it holds a user.
 */
@Injectable()
export class IdentityRepository {
  /** Notes a sign-in, the first one included, and holds the identity's row until the end of the transaction. */
  async meet(tx: Queryable, { issuer, subject, email, name }: ProvedIdentity): Promise<Identity> {
    const values = [newId('idn_'), issuer, subject, email, emailKey(email), name];
    const [row] = await tx.query<Identity>(meetIdentity, values);
    if (!row) throw new Error('the upsert of an identity gave no row');
    return row;
  }

  /** An identity by its id, its row held until the end of the transaction. */
  async hold(tx: Queryable, id: string): Promise<Identity | undefined> {
    const [row] = await tx.query<Identity>(holdIdentity, [id]);
    return row;
  }

  /** The active user that this identity is; undefined before the sign-up and after the removal. */
  async userOf(tx: Queryable, id: string): Promise<KnownUser | undefined> {
    const [row] = await tx.query<KnownUser>(findUserOfIdentity, [id]);
    return row;
  }

  /** Says which user the identity is from now on. */
  async bind(tx: Queryable, id: string, userId: string): Promise<void> {
    await tx.query(bindIdentity, [id, userId]);
  }

  /**
   * The user who waits under this address for a first sign-in, held until the end of the transaction. Of two people
   * who come with one address, the second waits here and finds nobody.
   */
  async invitedAs(tx: Queryable, email: string): Promise<KnownUser | undefined> {
    const [row] = await tx.query<KnownUser>(holdInvited, [emailKey(email)]);
    return row;
  }

  /** Makes an invited user an active one, with the name that the provider gives where there is none. */
  async admit(tx: Queryable, userId: string, name: string | null): Promise<void> {
    await tx.query(admitInvited, [userId, name]);
  }
}

// A provider that stops telling the name does not take it away; the address is always the newest.
const meetIdentity = statement(
  'auth.meet-identity',
  `INSERT INTO identities (id, issuer, subject, email, email_key, name) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (issuer, subject) DO UPDATE
     SET email = excluded.email, email_key = excluded.email_key,
         name = coalesce(excluded.name, identities.name), seen_at = clock_timestamp()
   RETURNING id, email, name`,
);

const holdIdentity = statement(
  'auth.hold-identity',
  `SELECT id, email, name FROM identities WHERE id = $1 FOR UPDATE`,
);

// The user's row is not locked: a removal at this moment makes the session worthless all the same, because every use
// of a session looks at the user.
const findUserOfIdentity = statement(
  'auth.find-user-of-identity',
  `SELECT u.id AS "userId", u.account_id AS "accountId", a.status = 'suspended' AS "isSuspended"
     FROM identities i JOIN users u ON u.id = i.user_id JOIN accounts a ON a.id = u.account_id
    WHERE i.id = $1 AND u.status = 'active'`,
);

const bindIdentity = statement('auth.bind-identity', `UPDATE identities SET user_id = $2 WHERE id = $1`);

const holdInvited = statement(
  'auth.hold-invited-user',
  `SELECT u.id AS "userId", u.account_id AS "accountId", a.status = 'suspended' AS "isSuspended"
     FROM users u JOIN accounts a ON a.id = u.account_id
    WHERE u.email_key = $1 AND u.status = 'invited' FOR UPDATE OF u`,
);

const admitInvited = statement(
  'auth.admit-invited-user',
  `UPDATE users SET status = 'active', name = coalesce(name, $2), version = version + 1 WHERE id = $1`,
);
