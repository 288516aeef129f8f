import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import type { AppId } from '@vaultsvc/contracts/integrations';
import { Database, epochSeconds, statement } from '@vaultsvc/database';

const STATE_BYTES = 32;
const VALID_MINUTES = 10;

/** A state that was issued. */
export interface IssuedState {
  readonly state: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** States of authorizations: each is of one session, and is used once (RFC 6749, 10.12). Only their hashes are stored. */
@Injectable()
export class OAuthStateRepository {
  readonly everySeconds = 600;

  constructor(private readonly database: Database) {}

  async issue(appId: AppId, redirectUri: string, { credential }: AccountContext): Promise<IssuedState> {
    const state = randomBytes(STATE_BYTES).toString('base64url');
    const values = [lookupOf(state), appId, credential.accountId, credential.credentialId, redirectUri];
    const [row] = await this.database.query<{ expires_at: number }>(insertState, values);
    return { state, expiresAt: row?.expires_at ?? 0 };
  }

  /** Uses a state up. @throws APP_STATE_REFUSED unless it was issued to this session for this app and redirect URI, and is unused */
  async use(state: string, appId: AppId, redirectUri: string, { credential }: AccountContext): Promise<void> {
    const values = [lookupOf(state), appId, credential.accountId, credential.credentialId, redirectUri];
    if ((await this.database.query(useState, values)).length === 0) throw new AppError('APP_STATE_REFUSED');
  }

  /** Deletes states that have expired. */
  async run(): Promise<void> {
    await this.database.query(deleteExpired, []);
  }
}

function lookupOf(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}

const insertState = statement(
  'integrations.insert-oauth-state',
  `INSERT INTO oauth_states (lookup, app_id, account_id, session_id, redirect_uri, expires_at)
   VALUES ($1, $2, $3, $4, $5, now() + interval '${VALID_MINUTES} minutes') RETURNING ${epochSeconds('expires_at')}`,
);

const useState = statement(
  'integrations.use-oauth-state',
  `DELETE FROM oauth_states
    WHERE lookup = $1 AND app_id = $2 AND account_id = $3 AND session_id = $4 AND redirect_uri = $5 AND expires_at > now()
   RETURNING 1`,
);

const deleteExpired = statement(
  'integrations.delete-expired-oauth-states',
  `DELETE FROM oauth_states WHERE expires_at <= now()`,
);
