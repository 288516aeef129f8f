import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secret } from '@vaultsvc/config';
import { AppError } from '@vaultsvc/contracts';
import { SealedTexts, type SealedText } from '@vaultsvc/crypto/data-keys';
import { Database, epochSeconds, statement, type Queryable } from '@vaultsvc/database';
import { IntegrationsConfig } from '../config.js';

const SECRET_BYTES = 32;
/** How long a secret holds after the next one was made. */
const OVERLAP_HOURS = 24;

/** A secret that was drawn, and how it is stored. */
export interface DrawnSecret {
  readonly text: string;
  readonly sealed: SealedText;
}

/**
 * The secrets with which sessions of an org of crmb are signed (OPEN-38). Each connection has its own; one from before that has the
 * common secret of the settings, until 24 hours after it has made its first.
 */
@Injectable()
export class CrmbSessionSecrets {
  constructor(
    private readonly config: IntegrationsConfig,
    private readonly database: Database,
    private readonly texts: SealedTexts,
  ) {}

  /** Empty: no session of the org can be verified. @param orgId as the session claims, before it is verified */
  async candidates(orgId: string): Promise<readonly Secret[]> {
    const rows = await this.database.query<Row>(findSecrets, [orgId]);
    if (rows.length === 0) return this.#common();
    const holding = rows.filter(({ holds }) => holds);
    return (await Promise.all(holding.map((row) => this.#open(row)))).flat();
  }

  /** Not stored yet. */
  async draw(accountId: string): Promise<DrawnSecret> {
    const text = randomBytes(SECRET_BYTES).toString('base64url');
    return { text, sealed: await this.texts.seal(idsOf(accountId), text) };
  }

  /** The secret of a new connection. */
  async insertFirst(tx: Queryable, accountId: string, generation: number, sealed: SealedText): Promise<void> {
    await tx.query(insertSecret, [randomUUID(), accountId, generation, sealed.data_key_id, sealed.sealed]);
  }

  /**
   * Stores the next secret of the connection, and lets the former one end.
   * @throws APP_NOT_INSTALLED while no org is connected
   */
  async replace(
    tx: Queryable,
    accountId: string,
    sealed: SealedText,
  ): Promise<{ readonly orgId: string; readonly formerEndsAt: number }> {
    const [connection] = await tx.query<Connection>(lockConnection, [accountId]);
    if (!connection) throw new AppError('APP_NOT_INSTALLED');
    const { org_id: orgId, generation, former_ends_at: formerEndsAt } = connection;
    await tx.query(endFormer, [accountId, generation, randomUUID()]);
    await this.insertFirst(tx, accountId, generation, sealed);
    return { orgId, formerEndsAt };
  }

  #common(): readonly Secret[] {
    const common = this.config.CRMB_SESSION_SECRET;
    return common.reveal() === '' ? [] : [common];
  }

  async #open({ account_id, data_key_id, sealed }: Row): Promise<readonly Secret[]> {
    if (sealed === null || data_key_id === null) return this.#common();
    return [new Secret(await this.texts.open(idsOf(account_id), { data_key_id, sealed }))];
  }
}

function idsOf(accountId: string): readonly string[] {
  return [accountId, 'crmb', 'session-secret'];
}

interface Row {
  readonly account_id: string;
  readonly data_key_id: string | null;
  readonly sealed: Buffer | null;
  readonly holds: boolean;
}

interface Connection {
  readonly org_id: string;
  readonly generation: number;
  readonly former_ends_at: number;
}

/** Secrets of an earlier connection are of another generation. */
const findSecrets = statement(
  'integrations.find-session-secrets',
  `SELECT s.account_id, s.data_key_id, s.sealed, coalesce(s.ends_at > clock_timestamp(), true) AS holds
     FROM installations i JOIN crmb_session_secrets s ON s.account_id = i.account_id AND s.generation = i.generation
    WHERE i.app_id = 'crmb' AND i.remote_id = $1 AND i.status = 'active'
    ORDER BY s.ends_at DESC NULLS FIRST`,
);

// An installation has tokens while it is active alone.
const lockConnection = statement(
  'integrations.lock-crmb-connection',
  `SELECT remote_id AS org_id, generation, ${epochSeconds(`(now() + interval '${OVERLAP_HOURS} hours')`, 'former_ends_at')}
     FROM installations WHERE account_id = $1 AND app_id = 'crmb' AND sealed IS NOT NULL FOR UPDATE`,
);

const insertSecret = statement(
  'integrations.insert-session-secret',
  `INSERT INTO crmb_session_secrets (id, account_id, generation, data_key_id, sealed) VALUES ($1, $2, $3, $4, $5)`,
);

// Without a secret of its own the connection has had the common one. Those that have ended, and those of earlier connections, go.
const endFormer = statement(
  'integrations.end-session-secrets',
  `WITH gone AS (
     DELETE FROM crmb_session_secrets WHERE account_id = $1 AND (generation <> $2 OR ends_at <= now()) RETURNING 1),
   ended AS (
     UPDATE crmb_session_secrets SET ends_at = now() + interval '${OVERLAP_HOURS} hours'
      WHERE account_id = $1 AND generation = $2 AND ends_at IS NULL RETURNING 1)
   INSERT INTO crmb_session_secrets (id, account_id, generation, ends_at)
   SELECT $3, $1, $2, now() + interval '${OVERLAP_HOURS} hours'
    WHERE NOT EXISTS (SELECT 1 FROM crmb_session_secrets WHERE account_id = $1 AND generation = $2)`,
);
