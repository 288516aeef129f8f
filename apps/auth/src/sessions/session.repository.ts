import { Injectable } from '@nestjs/common';
import { statement, type Queryable } from '@vaultsvc/database';

/** A full session of a user, or the session of an identity that has not registered yet (AUTH-06). */
export type NewSession =
  | { readonly sessionType: 'full'; readonly accountId: string; readonly userId: string }
  | { readonly sessionType: 'identity_only'; readonly identityId: string };

/** Session families: what every token of one sign-in belongs to. A family lives 30 days (AUTH-17). */
@Injectable()
export class SessionRepository {
  /** Opens a family and gives its id, the `sid` of its tokens. */
  async open(tx: Queryable, session: NewSession): Promise<string> {
    const [accountId, userId, identityId] =
      session.sessionType === 'full'
        ? [session.accountId, session.userId, null]
        : [null, null, session.identityId];
    const [row] = await tx.query<{ id: string }>(openFamily, [
      session.sessionType,
      accountId,
      userId,
      identityId,
    ]);
    if (!row) throw new Error('the insert of a session family gave no row');
    return row.id;
  }
}

const openFamily = statement(
  'auth.open-family',
  `INSERT INTO families (session_type, account_id, user_id, identity_id, expires_at)
   VALUES ($1, $2, $3, $4, now() + interval '720 hours') RETURNING id`,
);
