import { Injectable } from '@nestjs/common';
import { SESSION_ID, type OwnSession } from '@vaultsvc/contracts/auth';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import { LIVE_SESSIONS_MAX } from './session-limit.js';

/** The full sessions of a user, as the user sees them. */
@Injectable()
export class OwnSessionRepository {
  constructor(private readonly database: Database) {}

  /** Live ones, newest first. */
  list(accountId: string, userId: string): Promise<Omit<OwnSession, 'current'>[]> {
    return this.database.query<Omit<OwnSession, 'current'>>(listSessions, [accountId, userId]);
  }

  /** Whether the user has this session, or had it within the last 30 days. */
  async has(accountId: string, userId: string, id: string): Promise<boolean> {
    if (!SESSION_ID.test(id)) return false;
    return (await this.database.query(findSession, [accountId, userId, id])).length > 0;
  }
}

// Each refresh moves the expiry to 30 days later, so that it tells when the last one was.
const listSessions = statement(
  'auth.list-sessions',
  `SELECT id AS session_id, ${epochSeconds('created_at')}, ${epochSeconds('expires_at')},
          ${epochSeconds("(expires_at - interval '720 hours')", 'last_used_at')},
          CASE delivery WHEN 'cookie' THEN 'web' ELSE 'program' END AS client
     FROM families
    WHERE account_id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > clock_timestamp()
    ORDER BY families.created_at DESC, id DESC LIMIT ${LIVE_SESSIONS_MAX}`,
);

const findSession = statement(
  'auth.find-session-of-user',
  `SELECT 1 FROM families WHERE account_id = $1 AND user_id = $2 AND id = $3::uuid`,
);
