import { Injectable } from '@nestjs/common';
import type { AppId } from '@vaultsvc/contracts/integrations';
import type { SealedText } from '@vaultsvc/crypto/data-keys';
import { Database, statement } from '@vaultsvc/database';
import {
  COLUMNS,
  installationOf,
  tokensOf,
  type ConnectedInstallation,
  type TokenRow,
} from '../installations/installation.repository.js';

/** A connection whose refresh this instance has leased. */
export interface DueRefresh extends ConnectedInstallation {
  /** Of the lease, as PostgreSQL gives it: a newer hint asks for another refresh. */
  readonly claimedAt: string;
  /** Whether no answer of the provider ends the installation, too. */
  readonly endsUnanswered: boolean;
}

/** An event that says that a provider has ended a connection. */
export interface UninstallHint {
  readonly accountId: string;
  readonly appId: AppId;
  /** The workspace, portal or org of the event. */
  readonly remoteId: string;
  /** Epoch seconds of the event; undefined: unknown. Events older than the connection are about an earlier one. */
  readonly eventTime: number | undefined;
  /** Whether the hint ends the installation if the provider does not answer. */
  readonly suffices: boolean;
}

/** About a day, not at the same time for all. */
export const NEXT_REFRESH = `now() + interval '22 hours' + random() * interval '4 hours'`;
/** Longer than a refresh takes. */
const LEASE_SECONDS = 30;
/** A hint that the provider has not answered is asked again after this time, for this time; then the daily refresh asks. */
const HINT_RETRY_SECONDS = 30;
const HINT_HOURS = 24;

/** Which connections are due for a refresh: about once a day, or at once after a hint (OPEN-38). */
@Injectable()
export class RefreshRepository {
  constructor(private readonly database: Database) {}

  /** Notes a hint. False: the connection is younger than the event, or has ended. */
  async hint({ accountId, appId, remoteId, eventTime, suffices }: UninstallHint): Promise<boolean> {
    const values = [accountId, appId, remoteId, eventTime ?? null, suffices];
    return (await this.database.query(insertHint, values)).length > 0;
  }

  /** Leases the next connection that is due, hinted ones first. */
  async claim(): Promise<DueRefresh | undefined> {
    const [row] = await this.database.query<DueRow>(claimRefresh, []);
    if (!row) return undefined;
    const { claimed_at: claimedAt, ends_unanswered: endsUnanswered } = row;
    return { ...installationOf(row), tokens: tokensOf(row), claimedAt, endsUnanswered };
  }

  /** Replaces tokens that were refreshed, and forgets hints from before the refresh, unless others have replaced the tokens since. */
  async replaceTokens(due: DueRefresh, tokens: SealedText): Promise<void> {
    const values = [due.accountId, due.appId, due.tokens.sealed, tokens.data_key_id, tokens.sealed];
    await this.database.query(replaceTokens, [...values, due.claimedAt]);
  }

  /** The provider has not answered: a hinted connection is asked again soon, others when the schedule says. */
  async postpone({ accountId, appId }: DueRefresh): Promise<void> {
    await this.database.query(postponeRefresh, [accountId, appId]);
  }
}

type DueRow = TokenRow & { readonly claimed_at: string; readonly ends_unanswered: boolean };

// An installation has tokens while it is active alone.
const insertHint = statement(
  'integrations.hint-uninstallation',
  `UPDATE installations SET hinted_at = clock_timestamp(), hint_due_at = clock_timestamp(), hint_suffices = $5
    WHERE account_id = $1 AND app_id = $2 AND remote_id = $3 AND sealed IS NOT NULL
      AND coalesce($4::bigint >= floor(extract(epoch FROM coalesce(connected_at, installed_at))), true)
   RETURNING 1`,
);

// Tokens of the chat app do not expire: only a hint makes them due.
const claimRefresh = statement(
  'integrations.claim-refresh',
  `UPDATE installations
      SET refresh_leased_until = now() + interval '${LEASE_SECONDS} seconds', refresh_at = greatest(refresh_at, now() + interval '15 minutes'),
          hint_due_at = CASE WHEN hint_due_at IS NOT NULL THEN now() + interval '${LEASE_SECONDS} seconds' END
    WHERE (account_id, app_id) = (
            SELECT account_id, app_id FROM installations
             WHERE status = 'active' AND sealed IS NOT NULL AND refresh_leased_until <= now()
               AND (hint_due_at <= now() OR (app_id <> 'chatapp' AND refresh_at <= now()))
             ORDER BY hint_due_at NULLS LAST, refresh_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING ${COLUMNS}, data_key_id, sealed, now()::text AS claimed_at, (hinted_at IS NOT NULL AND hint_suffices) AS ends_unanswered`,
);

const replaceTokens = statement(
  'integrations.replace-tokens',
  `UPDATE installations
      SET data_key_id = $4, sealed = $5, refresh_at = ${NEXT_REFRESH}, refresh_leased_until = '-infinity',
          hint_due_at = CASE WHEN hinted_at > $6::timestamptz THEN now() END,
          hinted_at = CASE WHEN hinted_at > $6::timestamptz THEN hinted_at END
    WHERE account_id = $1 AND app_id = $2 AND sealed = $3`,
);

const postponeRefresh = statement(
  'integrations.postpone-refresh',
  `UPDATE installations
      SET refresh_leased_until = '-infinity',
          hint_due_at = CASE WHEN hinted_at > now() - interval '${HINT_HOURS} hours' THEN now() + interval '${HINT_RETRY_SECONDS} seconds' END,
          hinted_at = CASE WHEN hinted_at > now() - interval '${HINT_HOURS} hours' THEN hinted_at END
    WHERE account_id = $1 AND app_id = $2`,
);
