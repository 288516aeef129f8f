import { Injectable } from '@nestjs/common';
import type { SessionAccount, SessionUser } from '@vaultsvc/contracts/auth';
import { Database, statement } from '@vaultsvc/database';
import type { SessionOwner } from './session.repository.js';

export interface SessionProfile {
  /** Both null for an identity-only session (AUTH-06). */
  readonly user: SessionUser | null;
  readonly account: SessionAccount | null;
}

/** User and account of a session, as the API returns them. */
@Injectable()
export class SessionProfileRepository {
  constructor(private readonly database: Database) {}

  async of(owner: SessionOwner): Promise<SessionProfile> {
    if (owner.sessionType === 'identity_only') return { user: null, account: null };
    const [row] = await this.database.query<SessionUser & SessionAccount>(findParties, [
      owner.accountId,
      owner.userId,
    ]);
    if (!row) throw new Error('a session of a user who does not exist');
    const { user_id, email, name, role, account_id, organization_name, status } = row;
    return { user: { user_id, email, name, role }, account: { account_id, organization_name, status } };
  }
}

const findParties = statement(
  'auth.find-session-parties',
  `SELECT u.id AS user_id, u.email, coalesce(u.name, split_part(u.email, '@', 1)) AS name, u.role,
          a.id AS account_id, a.organization_name, a.status
     FROM users u JOIN accounts a ON a.id = u.account_id
    WHERE a.id = $1 AND u.id = $2`,
);
