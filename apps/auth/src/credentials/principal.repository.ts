import { Injectable } from '@nestjs/common';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import type { ApiKeyPrincipal, SessionPrincipal } from './credential-records.js';

/** Loads the principal of a credential from PostgreSQL. */
@Injectable()
export class PrincipalRepository {
  constructor(private readonly database: Database) {}

  async ofApiKey(lookup: Buffer): Promise<ApiKeyPrincipal | undefined> {
    const [row] = await this.database.query<ApiKeyPrincipal>(findApiKey, [lookup]);
    return row;
  }

  /** `sessionId` must have the shape of a UUID. */
  async ofSession(sessionId: string): Promise<SessionPrincipal | undefined> {
    const [row] = await this.ofSessions([sessionId]);
    return row;
  }

  /** Loads the principals of the known sessions in one statement; each id must have the shape of a UUID. */
  ofSessions(sessionIds: readonly string[]): Promise<SessionPrincipal[]> {
    return this.database.query<SessionPrincipal>(findSessions, [sessionIds]);
  }
}

// The version of a record is the sum of the versions of its rows. Each of them only grows, so a record read after a change
// of any row replaces every record read before it.
const findApiKey = statement(
  'auth.find-api-key-principal',
  `SELECT k.id, k.account_id AS "accountId", k.version + a.version AS version,
          ${epochSeconds('k.expires_at', 'expiresAt')},
          k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp()) AND a.status = 'active' AS active
     FROM api_keys k JOIN accounts a ON a.id = k.account_id
    WHERE k.lookup = $1`,
);

const findSessions = statement(
  'auth.find-session-principals',
  `SELECT f.id, f.session_type AS "sessionType", f.account_id AS "accountId", f.user_id AS "userId",
          f.identity_id AS "identityId", u.role, u.seat,
          f.version + coalesce(u.version, 0) + coalesce(a.version, 0) AS version,
          ${epochSeconds('f.expires_at', 'expiresAt')},
          f.revoked_at IS NULL AND f.expires_at > clock_timestamp()
            AND (f.session_type = 'identity_only' OR (u.status = 'active' AND a.status = 'active')) AS active
     FROM families f
     LEFT JOIN users u ON u.id = f.user_id
     LEFT JOIN accounts a ON a.id = f.account_id
    WHERE f.id = ANY($1::uuid[])`,
);
