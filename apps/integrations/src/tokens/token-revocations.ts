import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { AppId } from '@vaultsvc/contracts/integrations';
import type { SealedText } from '@vaultsvc/crypto/data-keys';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import { InstallationRepository } from '../installations/installation.repository.js';
import type { ProviderTokens } from '../providers/oauth-provider.js';
import { OAuthProviders } from '../providers/oauth-providers.js';
import { TokenSealer } from './token-sealer.js';

/** After this time the token is forgotten, whatever the provider has answered. */
const KEPT_HOURS = 72;
const RETRY_SECONDS = 60;
/** Longer than an attempt takes. */
const LEASE_SECONDS = 30;

/** Tokens of a grant, and the workspace, portal or org that they are for; null where that is unknown. */
export interface GrantedTokens {
  readonly tokens: SealedText;
  readonly remoteId: string | null;
}

/**
 * Tokens that are to be revoked at their provider. They are queued in the transaction that ends their connection, so that an
 * uninstallation neither waits for the provider nor forgets it.
 */
@Injectable()
export class TokenRevocations {
  readonly everySeconds = 15;
  readonly #logger = new Logger('tokens');

  constructor(
    private readonly database: Database,
    private readonly providers: OAuthProviders,
    private readonly sealer: TokenSealer,
    private readonly installations: InstallationRepository,
  ) {}

  async add(
    tx: Queryable,
    accountId: string,
    appId: AppId,
    { tokens, remoteId }: GrantedTokens,
  ): Promise<void> {
    const values = [randomUUID(), accountId, appId, tokens.data_key_id, tokens.sealed, remoteId];
    await tx.query(insertRevocation, values);
  }

  /** Queues tokens of a grant that was not used, and revokes them now. Never fails: tokens that cannot be queued are logged. */
  async discard(
    accountId: string,
    appId: AppId,
    tokens: ProviderTokens,
    remoteId: string | null,
  ): Promise<void> {
    try {
      const sealed = await this.sealer.seal(accountId, appId, tokens);
      await this.add(this.database, accountId, appId, { tokens: sealed, remoteId });
      this.wake();
    } catch (error) {
      this.#logger.error({ msg: 'granted tokens are not revoked', accountId, appId, err: error });
    }
  }

  /** The tokens of the connection that a workspace, portal or org has now. */
  async #living(appId: AppId, remoteId: string): Promise<ProviderTokens | undefined> {
    const connected = await this.installations.findLiving(appId, remoteId);
    return connected && this.sealer.open(connected.accountId, appId, connected.tokens);
  }

  /** Revokes now, besides the schedule. Never fails. */
  wake(): void {
    this.run().catch((error: unknown) => this.#logger.error({ msg: 'tokens are revoked later', err: error }));
  }

  /** Revokes what is due. Safe on any number of instances: each token is leased first. */
  async run(): Promise<void> {
    await this.database.query(deleteExpired, []);
    for (;;) {
      const [claimed] = await this.database.query<Claimed>(claimDue, []);
      if (!claimed) return;
      await this.#revoke(claimed);
    }
  }

  async #revoke({ id, account_id: accountId, app_id: appId, remote_id, ...sealed }: Claimed): Promise<void> {
    try {
      const provider = this.providers.of(appId);
      const tokens = await this.sealer.open(accountId, appId, sealed);
      const remoteId = remote_id ?? (await provider.remoteIdOf(tokens));
      const living = remoteId === undefined ? undefined : await this.#living(appId, remoteId);
      if (!living) await provider.revoke(tokens);
      else if (!isSame(living, tokens)) await provider.revokeTokens(tokens);
      await this.database.query(deleteRevocation, [id]);
    } catch (error) {
      this.#logger.warn({ msg: 'a token could not be revoked yet', accountId, appId, err: error });
      await this.database.query(postpone, [id]);
    }
  }
}

/** Tokens whose revocation would end a living connection, such as the bot token of a workspace that has connected again. */
function isSame(living: ProviderTokens, { accessToken, refreshToken }: ProviderTokens): boolean {
  if (living.accessToken === accessToken) return true;
  return refreshToken !== null && living.refreshToken === refreshToken;
}

interface Claimed extends SealedText {
  readonly id: string;
  readonly account_id: string;
  readonly app_id: AppId;
  /** null: unknown, or queued by an older instance. */
  readonly remote_id: string | null;
}

const insertRevocation = statement(
  'integrations.insert-revocation',
  `INSERT INTO token_revocations (id, account_id, app_id, data_key_id, sealed, remote_id, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, now() + interval '${KEPT_HOURS} hours')`,
);

const claimDue = statement(
  'integrations.claim-revocation',
  `UPDATE token_revocations SET next_attempt_at = now() + interval '${LEASE_SECONDS} seconds'
    WHERE id = (SELECT id FROM token_revocations WHERE next_attempt_at <= now()
                 ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   RETURNING id, account_id, app_id, data_key_id, sealed, remote_id`,
);

const deleteRevocation = statement(
  'integrations.delete-revocation',
  `DELETE FROM token_revocations WHERE id = $1`,
);

const deleteExpired = statement(
  'integrations.delete-expired-revocations',
  `DELETE FROM token_revocations WHERE expires_at <= now()`,
);

const postpone = statement(
  'integrations.postpone-revocation',
  `UPDATE token_revocations SET next_attempt_at = now() + interval '${RETRY_SECONDS} seconds' WHERE id = $1`,
);
