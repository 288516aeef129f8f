import { Injectable } from '@nestjs/common';
import type { InvitationText, PendingInvitation } from '@vaultsvc/contracts/auth';
import { Database, epochSeconds, type Queryable, statement } from '@vaultsvc/database';
import type { AccountUser, KnownUser } from '../identity/identity.repository.js';
import { IS_EXPIRED, IS_INVITED, REMOVE } from '../accounts/user-state.js';

const LISTED_MAX = 100;

/** The person who gets these mails has not asked for any. */
const RESENT_PER_HOUR = 5;

/** An invitation that is sent again, in epoch seconds. */
export interface ExtendedInvitation {
  readonly sent_at: number;
  readonly expires_at: number;
}

/**
 * Invitations: users of an account who have not joined it yet. One conditional statement decides each of their ends, so of
 * concurrent attempts to accept, decline, withdraw and expire the first wins.
 */
@Injectable()
export class InvitationRepository {
  constructor(private readonly database: Database) {}

  /** Open invitations to the address of an identity, oldest first. With `claimant`, those of that account only. */
  list(identityId: string, claimant: string | undefined): Promise<PendingInvitation[]> {
    return this.database.query<PendingInvitation>(listInvitations, [identityId, claimant ?? null]);
  }

  /** The content of the open invitation of a user. */
  async describe(id: string): Promise<InvitationText | undefined> {
    const [invitation] = await this.database.query<InvitationText>(describeInvitation, [id]);
    return invitation;
  }

  /** Whether the invitation of a user can be accepted. */
  async isOpen(tx: Queryable, id: string): Promise<boolean> {
    return (await tx.query(findOpen, [id])).length > 0;
  }

  /** Extends an open invitation to 14 days; undefined if it was sent again five times within an hour. */
  async extend(tx: Queryable, id: string): Promise<ExtendedInvitation | undefined> {
    const [invitation] = await tx.query<ExtendedInvitation>(extendInvitation, [id]);
    return invitation;
  }

  /**
   * Activates the user of an invitation to the address of this identity, with the exact address from the provider. Undefined
   * for any other invitation.
   * @throws a unique violation of `users_active_email` if another active user has that address
   */
  async accept(tx: Queryable, id: string, identityId: string): Promise<KnownUser | undefined> {
    const [user] = await tx.query<KnownUser>(acceptInvitation, [identityId, id]);
    return user;
  }

  /** As `accept`, for the owner of a first account with the address of this identity. With `claimant`, of that account only. */
  async admitFirstOwner(
    tx: Queryable,
    identityId: string,
    claimant: string | undefined,
  ): Promise<KnownUser | undefined> {
    const [user] = await tx.query<KnownUser>(admitFirstOwner, [identityId, claimant ?? null]);
    return user;
  }

  /** Removes the user of an invitation to the address of this identity; undefined for any other invitation. */
  async decline(tx: Queryable, id: string, identityId: string): Promise<AccountUser | undefined> {
    const [user] = await tx.query<AccountUser>(declineInvitation, [identityId, id]);
    return user;
  }

  /** Removes up to `max` users whose invitation has expired, of this account or of all. */
  expire(tx: Queryable, max: number, accountId: string | null = null): Promise<AccountUser[]> {
    return tx.query<AccountUser>(expireInvitations, [accountId, max]);
  }
}

const listInvitations = statement(
  'auth.list-invitations',
  `SELECT u.id AS invitation_id, a.organization_name, u.role, inviter.email AS invited_by,
          ${epochSeconds('u.invitation_expires_at', 'expires_at')}
     FROM identities i
     JOIN users u ON u.email_key = i.email_key
     JOIN accounts a ON a.id = u.account_id
     LEFT JOIN users inviter
       ON inviter.id = u.invited_by AND inviter.account_id = u.account_id AND inviter.status = 'active'
    WHERE i.id = $1 AND ${IS_INVITED} AND a.status = 'active' AND ($2::text IS NULL OR a.id = $2)
    ORDER BY u.created_at, u.id LIMIT ${LISTED_MAX}`,
);

const describeInvitation = statement(
  'auth.describe-invitation',
  `SELECT u.email, a.organization_name, inviter.name AS invited_by, inviter.email AS invited_by_email,
          ${epochSeconds('u.invitation_expires_at', 'expires_at')}
     FROM users u
     JOIN accounts a ON a.id = u.account_id
     LEFT JOIN users inviter
       ON inviter.id = u.invited_by AND inviter.account_id = u.account_id AND inviter.status = 'active'
    WHERE u.id = $1 AND ${IS_INVITED}`,
);

const findOpen = statement(
  'auth.find-open-invitation',
  `SELECT 1 FROM users u WHERE u.id = $1 AND ${IS_INVITED}`,
);

const RECENTLY_RESENT = `ARRAY(SELECT sent.at FROM unnest(u.invitation_resent_at) AS sent (at) WHERE sent.at > now() - interval '1 hour')`;

const extendInvitation = statement(
  'auth.extend-invitation',
  `UPDATE users u
      SET invitation_expires_at = now() + interval '14 days', invitation_resent_at = ${RECENTLY_RESENT} || now()
    WHERE u.id = $1 AND ${IS_INVITED} AND cardinality(${RECENTLY_RESENT}) < ${RESENT_PER_HOUR}
   RETURNING ${epochSeconds('now()', 'sent_at')}, ${epochSeconds('u.invitation_expires_at', 'expires_at')}`,
);

const admission = (condition: string) => `
  UPDATE users u SET status = 'active', email = i.email, name = coalesce(u.name, i.name), version = u.version + 1
    FROM identities i, accounts a
   WHERE i.id = $1 AND u.email_key = i.email_key AND a.id = u.account_id AND ${condition}
  RETURNING u.id AS "userId", u.account_id AS "accountId", a.status = 'suspended' AS "isSuspended"`;

const acceptInvitation = statement('auth.accept-invitation', admission(`u.id = $2 AND ${IS_INVITED}`));

// Somebody else may have signed up with the address since the bootstrap command.
const admitFirstOwner = statement(
  'auth.admit-first-owner',
  admission(`u.status = 'invited' AND u.joins_at_sign_in AND ($2::text IS NULL OR a.id = $2)
     AND NOT EXISTS (SELECT 1 FROM users o WHERE o.email = i.email AND o.status = 'active')`),
);

const declineInvitation = statement(
  'auth.decline-invitation',
  `UPDATE users u SET ${REMOVE} FROM identities i
    WHERE i.id = $1 AND u.email_key = i.email_key AND u.id = $2 AND ${IS_INVITED}
   RETURNING u.id AS "userId", u.account_id AS "accountId"`,
);

const expireInvitations = statement(
  'auth.expire-invitations',
  `UPDATE users u SET ${REMOVE}
    WHERE u.id IN (
      SELECT u.id FROM users u WHERE ${IS_EXPIRED} AND ($1::text IS NULL OR u.account_id = $1)
       ORDER BY u.invitation_expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING u.id AS "userId", u.account_id AS "accountId"`,
);
