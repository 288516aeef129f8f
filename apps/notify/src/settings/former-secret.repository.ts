import { Injectable } from '@nestjs/common';
import { SealedTexts, type SealedText } from '@vaultsvc/crypto/data-keys';
import { Database, statement, type Queryable } from '@vaultsvc/database';

/** Each makes the requests longer by a signature; a sixth change within a day ends the oldest secret early. */
const FORMERS_MAX = 5;

/**
 * Secrets of webhooks for 24 hours after they were replaced, sealed: requests are signed with them, too, so that receivers can
 * change theirs at any moment of the day (Standard Webhooks 1.0.0, secret rotation).
 */
@Injectable()
export class FormerSecretRepository {
  constructor(
    private readonly database: Database,
    private readonly texts: SealedTexts,
  ) {}

  /** Those that are still in use, the newest first. */
  async read(accountId: string): Promise<string[]> {
    const rows = await this.database.query<SealedText>(readFormers, [accountId, FORMERS_MAX]);
    return Promise.all(rows.map((text) => this.texts.open([accountId, 'webhook', 'former'], text)));
  }

  /** Before the transaction that stores it: sealing may wait for KMS. */
  seal(accountId: string, secret: string): Promise<SealedText> {
    return this.texts.seal([accountId, 'webhook', 'former'], secret);
  }

  /** Also deletes those of all accounts whose time is over. */
  async add(tx: Queryable, accountId: string, { data_key_id, sealed }: SealedText): Promise<void> {
    await tx.query(deleteExpired);
    await tx.query(insertFormer, [accountId, data_key_id, sealed]);
  }

  async deleteAll(tx: Queryable, accountId: string): Promise<void> {
    await tx.query(deleteFormers, [accountId]);
  }
}

const readFormers = statement(
  'notify.read-former-secrets',
  `SELECT data_key_id, sealed FROM former_webhook_secrets
    WHERE account_id = $1 AND ends_at > now() ORDER BY ends_at DESC, id DESC LIMIT $2`,
);

const insertFormer = statement(
  'notify.insert-former-secret',
  `INSERT INTO former_webhook_secrets (account_id, data_key_id, sealed, ends_at)
   VALUES ($1, $2, $3, now() + interval '24 hours')`,
);

const deleteExpired = statement(
  'notify.delete-expired-secrets',
  `DELETE FROM former_webhook_secrets WHERE ends_at <= now()`,
);

const deleteFormers = statement(
  'notify.delete-former-secrets',
  `DELETE FROM former_webhook_secrets WHERE account_id = $1`,
);
