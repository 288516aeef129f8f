import { Injectable } from '@nestjs/common';
import { AppError, type Role, type Seat } from '@vaultsvc/contracts';
import type { User } from '@vaultsvc/contracts/auth';
import { Database, epochSeconds, type Queryable, statement } from '@vaultsvc/database';
import { IS_USER, REMOVE } from '../accounts/user-state.js';

export interface ListedUser extends User {
  /** `created_at` with microseconds: the sort key of the list. */
  readonly position: string;
}

/** Fields that an update may set; absent ones stay unchanged. */
export interface UserUpdate {
  readonly role?: Role;
  readonly seat?: Seat;
  readonly name?: string;
}

/** A user with the role owner. */
export interface Owner extends User {
  /** Whether the first sign-in with the address accepts: the owner of a first account (OPEN-62). */
  readonly joins_at_sign_in: boolean;
}

/** Users of accounts. No query here finds removed users, or users whose invitation has expired. */
@Injectable()
export class UserRepository {
  constructor(private readonly database: Database) {}

  /** Oldest first, one row more than the limit. */
  list(accountId: string, limit: number, after: readonly string[] | null): Promise<ListedUser[]> {
    const [createdAt, id] = after ?? ['-infinity', ''];
    return this.database.query<ListedUser>(listUsers, [accountId, createdAt, id, limit + 1]);
  }

  async find(on: Queryable, accountId: string, id: string): Promise<User | undefined> {
    const [user] = await on.query<User>(findUser, [accountId, id]);
    return user;
  }

  /** The active user of a session; undefined if the user was removed. */
  async findActive(accountId: string, id: string): Promise<User | undefined> {
    const user = await this.find(this.database, accountId, id);
    return user?.status === 'active' ? user : undefined;
  }

  async rename(tx: Queryable, accountId: string, id: string, name: string): Promise<User | undefined> {
    const [user] = await tx.query<User>(renameUser, [accountId, id, name]);
    return user;
  }

  /** Locks the account, which serializes changes of its users: counts and checks then hold until the commit. */
  async lockAccount(tx: Queryable, accountId: string): Promise<void> {
    await tx.query(lockAccount, [accountId]);
  }

  /** Counts seats: one per user, invited users included (MISC-06). */
  async countSeats(tx: Queryable, accountId: string): Promise<number> {
    const [row] = await tx.query<{ seats: number }>(countSeats, [accountId]);
    return row?.seats ?? 0;
  }

  /** Counts users added within the last hour, removed ones included, and invitations that were sent again within it. */
  async countInvitations(tx: Queryable, accountId: string): Promise<number> {
    const [row] = await tx.query<{ count: number }>(countInvitations, [accountId]);
    return row?.count ?? 0;
  }

  /**
   * Whether this address, in any spelling, belongs to a user of any account: to an active one, to one whose identity signs in
   * with it, or to the expected owner of a first account. An invitation by another account does not count (OPEN-59).
   */
  async isRegistered(tx: Queryable, emailKey: string): Promise<boolean> {
    return (await tx.query(findRegistered, [emailKey])).length > 0;
  }

  /** Locks a user; an attempt to accept its invitation waits. */
  async lock(tx: Queryable, accountId: string, id: string): Promise<User | undefined> {
    const [user] = await tx.query<User>(lockUser, [accountId, id]);
    return user;
  }

  /** Locks and returns the owners of an account, invited ones included. */
  lockOwners(tx: Queryable, accountId: string): Promise<Owner[]> {
    return tx.query<Owner>(lockOwners, [accountId]);
  }

  /** Sets the given fields. Cached credentials contain role and seat, so changing them increments the version. */
  async change(tx: Queryable, id: string, { role, seat, name }: UserUpdate): Promise<User> {
    const [user] = await tx.query<User>(changeUser, [id, role ?? null, seat ?? null, name ?? null]);
    if (!user) throw new Error('a locked user does not exist');
    return user;
  }

  /** A sign-in locks the identity before the user; every transaction that needs both must do so in that order. */
  async lockIdentity(tx: Queryable, accountId: string, id: string): Promise<void> {
    await tx.query(lockIdentity, [accountId, id]);
  }

  /**
   * Removes a locked user: erases address and name from the row, which invalidates all sessions, and unbinds the identity, which
   * may sign up again.
   */
  async remove(tx: Queryable, id: string): Promise<void> {
    await tx.query(removeUser, [id]);
    await tx.query(releaseIdentity, [id]);
  }
}

const COLUMNS = `u.id AS user_id, u.email, u.name, u.role, u.seat, u.status,
  ${epochSeconds('u.created_at')}`;

/** OPEN-33 OPEN-59: all people of the account, the earliest first. */
const listUsers = statement(
  'auth.list-users',
  `SELECT ${COLUMNS}, to_char(u.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS position
     FROM users u
    WHERE u.account_id = $1 AND (u.created_at, u.id) > ($2::timestamptz, $3::text) AND ${IS_USER}
    ORDER BY u.created_at, u.id
    LIMIT $4`,
);

const findUser = statement(
  'auth.find-user',
  `SELECT ${COLUMNS} FROM users u WHERE u.account_id = $1 AND u.id = $2 AND ${IS_USER}`,
);

const renameUser = statement(
  'auth.rename-user',
  `UPDATE users u SET name = $3 WHERE u.account_id = $1 AND u.id = $2 AND u.status = 'active' RETURNING ${COLUMNS}`,
);

// NO KEY: inserts of sessions and API keys lock the row's key only, and do not wait.
const lockAccount = statement('auth.lock-account', `SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE`);

const countSeats = statement(
  'auth.count-seats',
  `SELECT count(*) AS seats FROM users u WHERE u.account_id = $1 AND ${IS_USER}`,
);

const countInvitations = statement(
  'auth.count-invitations',
  `SELECT (SELECT count(*) FROM users WHERE account_id = $1 AND created_at > now() - interval '1 hour')
        + (SELECT count(*) FROM users u CROSS JOIN unnest(u.invitation_resent_at) AS sent (at)
            WHERE u.account_id = $1 AND u.invitation_resent_at IS NOT NULL AND sent.at > now() - interval '1 hour') AS count`,
);

const findRegistered = statement(
  'auth.find-registered-identity',
  `SELECT 1 FROM identities WHERE email_key = $1 AND user_id IS NOT NULL
   UNION ALL
   SELECT 1 FROM users WHERE email_key = $1 AND (status = 'active' OR status = 'invited' AND joins_at_sign_in)
   LIMIT 1`,
);

const lockUser = statement(
  'auth.lock-user',
  `SELECT ${COLUMNS} FROM users u WHERE u.account_id = $1 AND u.id = $2 AND ${IS_USER} FOR NO KEY UPDATE`,
);

const lockOwners = statement(
  'auth.lock-owners',
  `SELECT ${COLUMNS}, u.joins_at_sign_in FROM users u WHERE u.account_id = $1 AND u.role = 'owner' AND ${IS_USER}
    ORDER BY u.id FOR NO KEY UPDATE`,
);

const changeUser = statement(
  'auth.update-user',
  `UPDATE users u SET role = coalesce($2, role), seat = coalesce($3, seat), name = coalesce($4, name),
     version = version + CASE WHEN (coalesce($2, role), coalesce($3, seat)) = (role, seat) THEN 0 ELSE 1 END
    WHERE id = $1 RETURNING ${COLUMNS}`,
);

const lockIdentity = statement(
  'auth.lock-identity-of-user',
  `SELECT 1 FROM identities i JOIN users u ON u.id = i.user_id
    WHERE u.account_id = $1 AND u.id = $2 FOR UPDATE OF i`,
);

// After two minutes no cached record of a session is left, so the job need not replace any.
const removeUser = statement(
  'auth.remove-user',
  `UPDATE users u SET ${REMOVE}, sessions_end_after = now() + interval '2 minutes' WHERE u.id = $1`,
);

const releaseIdentity = statement(
  'auth.release-identity',
  `UPDATE identities SET user_id = NULL WHERE user_id = $1`,
);

/**
 * Refuses to remove or demote the last owner. If the leaving owner is active, an active one must remain; otherwise the expected
 * owner of a first account is enough. An invited owner is not: the invitation may expire.
 * @throws 409
 */
export function assertOwnerRemains(owners: readonly Owner[], leaving: User): void {
  const others = owners.filter(({ user_id }) => user_id !== leaving.user_id);
  if (others.some(({ status }) => status === 'active')) return;
  if (leaving.status === 'invited' && others.some((owner) => owner.joins_at_sign_in)) return;
  throw new AppError('LAST_OWNER');
}
