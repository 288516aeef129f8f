import { Injectable } from '@nestjs/common';
import { AppError, identityKey } from '@vaultsvc/contracts';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import type { VerifiedIdentity } from './verified-identity.js';

/** A person at the provider, as described by the latest sign-in. */
export interface Identity {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

/** A user and its account. */
export interface AccountUser {
  readonly userId: string;
  readonly accountId: string;
}

export interface KnownUser extends AccountUser {
  /** Of the account. */
  readonly isSuspended: boolean;
}

/**
 * Identities at the provider and their users. Lock order: identity, then user. No method waits for an identity while it has
 * locked a user.
 */
@Injectable()
export class IdentityRepository {
  constructor(private readonly database: Database) {}

  /** Upserts the identity of a sign-in and locks its row until the end of the transaction. */
  async upsertAndLock(tx: Queryable, { issuer, subject, email, name }: VerifiedIdentity): Promise<Identity> {
    const values = [newId('idn_'), issuer, subject, email, identityKey(email), name];
    const [row] = await tx.query<Identity>(meetIdentity, values);
    if (!row) throw new Error('the upsert of an identity gave no row');
    return row;
  }

  /** An identity by its id. */
  async find(id: string): Promise<Identity | undefined> {
    const [row] = await this.database.query<Identity>(findIdentity, [id]);
    return row;
  }

  /**
   * Locks an identity without a user until the end of the transaction: of concurrent attempts to found or to join an
   * organization the first wins.
   * @throws AUTHENTICATION_ERROR for an unknown identity, SIGNUP_COMPLETED for one with a user
   */
  async lockUnbound(tx: Queryable, id: string): Promise<Identity> {
    const [identity] = await tx.query<Identity>(lockIdentity, [id]);
    if (!identity) throw new AppError('AUTHENTICATION_ERROR');
    if (await this.userOf(tx, id)) throw new AppError('SIGNUP_COMPLETED');
    return identity;
  }

  /** The active user of this identity; undefined before the sign-up and after the removal. */
  async userOf(tx: Queryable, id: string): Promise<KnownUser | undefined> {
    const [row] = await tx.query<KnownUser>(findUserOfIdentity, [id]);
    return row;
  }

  /** Binds the identity to a user. */
  async bind(tx: Queryable, id: string, userId: string): Promise<void> {
    await tx.query(bindIdentity, [id, userId]);
  }
}

// A name is kept if the provider no longer sends one; the address is always the latest.
const meetIdentity = statement(
  'auth.meet-identity',
  `INSERT INTO identities (id, issuer, subject, email, email_key, name) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (issuer, subject) DO UPDATE
     SET email = excluded.email, email_key = excluded.email_key,
         name = coalesce(excluded.name, identities.name), seen_at = clock_timestamp()
   RETURNING id, email, name`,
);

const findIdentity = statement('auth.find-identity', `SELECT id, email, name FROM identities WHERE id = $1`);

const lockIdentity = statement(
  'auth.lock-identity',
  `SELECT id, email, name FROM identities WHERE id = $1 FOR UPDATE`,
);

// The user's row is not locked: a concurrent removal still invalidates the session, because every use of it checks the user.
const findUserOfIdentity = statement(
  'auth.find-user-of-identity',
  `SELECT u.id AS "userId", u.account_id AS "accountId", a.status = 'suspended' AS "isSuspended"
     FROM identities i JOIN users u ON u.id = i.user_id JOIN accounts a ON a.id = u.account_id
    WHERE i.id = $1 AND u.status = 'active'`,
);

const bindIdentity = statement('auth.bind-identity', `UPDATE identities SET user_id = $2 WHERE id = $1`);
