import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import {
  Batcher,
  Database,
  epochSeconds,
  namedStatement,
  type Queryable,
  statement,
} from '@vaultsvc/database';
import type { VaultIdentity, VatTerms } from '../keys/vault-key.js';
import { EXCLUSIVE_LOCK, lockShared } from '../vault/vault-advisory-lock.js';

/** The epoch and the time of an unsealing: seals before it have passed, later seals end its session. */
export interface UnsealMoment {
  readonly sealEpoch: number;
  /** Epoch seconds: tokens expire at whole seconds. */
  readonly at: number;
}

/** The row of a token, joined with the vault that the caller names. */
export interface FoundSession extends VaultIdentity {
  readonly terms: VatTerms;
  readonly wrappedKey: Buffer | null;
  readonly isExpired: boolean;
  /** Whether the account has the named vault. */
  readonly isVaultKnown: boolean;
  /** Of the named vault; null when the account has no such vault. */
  readonly currentEpoch: number | null;
  readonly isDvakRevoked: boolean;
}

/** The hash of a token, and the vault that its caller names. */
interface SessionQuery extends VaultIdentity {
  readonly lookup: Buffer;
}

/**
 * Vault Access Tokens. Rows hold no token: a token is found by its hash, and only the token itself unwraps the row's
 * vault key.
 */
@Injectable()
export class SessionRepository {
  /** Every call with a token looks it up, so concurrent callers share the statement (ADR 25). */
  readonly #finds = new Batcher<SessionQuery, FoundSession | undefined>({
    name: 'vaults.find-sessions',
    run: (queries) => this.#findAll(queries),
  });

  constructor(private readonly database: Database) {}

  /**
   * Counts an unsealing and locks the vault's row until the commit, so that no seal comes between reading the epoch and
   * inserting the session. Throws VAULT_NOT_FOUND.
   */
  async beginUnseal(tx: Queryable, { vaultId, accountId }: VaultIdentity): Promise<UnsealMoment> {
    const [row] = await tx.query<{ seal_epoch: number; at: number }>(countUnseal, [vaultId, accountId]);
    if (!row) throw new AppError('VAULT_NOT_FOUND');
    return { sealEpoch: row.seal_epoch, at: row.at };
  }

  async insert(
    tx: Queryable,
    lookup: Buffer,
    { vaultId, accountId }: VaultIdentity,
    terms: VatTerms,
    wrapped: Buffer,
  ) {
    await tx.query(insertSession, insertSession.valuesOf({ ...terms, lookup, vaultId, accountId, wrapped }));
  }

  /**
   * Ends every session of the vault: deletes the rows, and increments and returns the epoch, which ends downloads
   * and invalidates restored rows.
   */
  async seal(tx: Queryable, { vaultId, accountId }: VaultIdentity): Promise<number> {
    const [sealed] = await tx.query<{ seal_epoch: number }>(advanceEpoch, [vaultId, accountId]);
    if (!sealed) throw new AppError('VAULT_NOT_FOUND');
    await tx.query(deleteLive, [vaultId]);
    return sealed.seal_epoch;
  }

  /**
   * Locks a session until the commit: a change made with it commits before the seal, the revocation or the deletion
   * that ends the session, or fails. Throws AUTHENTICATION_ERROR when the session has ended, VAULT_NOT_FOUND for its
   * vault.
   */
  async lock(tx: Queryable, vatId: string, vault: VaultIdentity): Promise<void> {
    // The vault's row first, in the order of everything that ends sessions.
    await lockShared(tx, vault);
    if ((await tx.query(lockSession, [vatId])).length === 0) throw new AppError('AUTHENTICATION_ERROR');
  }

  /**
   * @param deadlineMs epoch milliseconds after which the caller has stopped waiting
   * @throws DeadlinePassed
   */
  find(lookup: Buffer, vault: VaultIdentity, deadlineMs: number): Promise<FoundSession | undefined> {
    return this.#finds.add({ lookup, ...vault }, deadlineMs);
  }

  async #findAll(queries: readonly SessionQuery[]): Promise<readonly (FoundSession | undefined)[]> {
    const rows = await this.database.query<SessionRow & { item: number }>(findSessions, [
      queries.map(({ lookup }) => lookup),
      queries.map(({ vaultId }) => vaultId),
      queries.map(({ accountId }) => accountId),
    ]);
    const found = new Map(rows.map((row) => [row.item, sessionOf(row)]));
    return queries.map((_, index) => found.get(index + 1));
  }
}

interface SessionInsert extends VaultIdentity, VatTerms {
  readonly lookup: Buffer;
  readonly wrapped: Buffer;
}

interface SessionRow {
  id: string;
  vault_id: string;
  account_id: string;
  access_level: 'read' | 'read_write';
  dvak_id: string | null;
  authorized_user_id: string | null;
  issued_at_micros: number;
  expires_at_micros: number;
  seal_epoch: number;
  wrapped_key: Buffer | null;
  is_expired: boolean;
  current_epoch: number | null;
  is_dvak_revoked: boolean;
}

function sessionOf(row: SessionRow): FoundSession {
  return {
    vaultId: row.vault_id,
    accountId: row.account_id,
    terms: {
      vatId: row.id,
      accessLevel: row.access_level,
      dvakId: row.dvak_id,
      authorizedUserId: row.authorized_user_id,
      issuedAtMicros: row.issued_at_micros,
      expiresAtMicros: row.expires_at_micros,
      sealEpoch: row.seal_epoch,
    },
    wrappedKey: row.wrapped_key,
    isExpired: row.is_expired,
    isVaultKnown: row.current_epoch !== null,
    currentEpoch: row.current_epoch,
    isDvakRevoked: row.is_dvak_revoked,
  };
}

const micros = (time: string) => `(extract(epoch FROM ${time}) * 1000000)::bigint`;
const timeOf = (parameter: string) =>
  `timestamptz 'epoch' + ${parameter}::double precision * interval '1 microsecond'`;

const countUnseal = statement(
  'vaults.count-unseal',
  `UPDATE vaults SET unseal_count = unseal_count + 1, last_unsealed_at = clock_timestamp()
     FROM ${EXCLUSIVE_LOCK}
    WHERE id = $1 AND account_id = $2 AND status = 'active'
   RETURNING seal_epoch, ${epochSeconds('last_unsealed_at', 'at')}`,
);

const insertSession = namedStatement<SessionInsert>(
  'vaults.insert-session',
  (v) => `
   INSERT INTO vault_sessions (lookup, id, vault_id, account_id, access_level, dvak_id, authorized_user_id,
                               issued_at, expires_at, seal_epoch, wrapped_key)
   VALUES (${v.lookup}, ${v.vatId}, ${v.vaultId}, ${v.accountId}, ${v.accessLevel}, ${v.dvakId}, ${v.authorizedUserId},
           ${timeOf(v.issuedAtMicros)}, ${timeOf(v.expiresAtMicros)}, ${v.sealEpoch}, ${v.wrapped})`,
);

const advanceEpoch = statement(
  'vaults.advance-epoch',
  `UPDATE vaults SET seal_epoch = seal_epoch + 1 FROM ${EXCLUSIVE_LOCK}
    WHERE id = $1 AND account_id = $2 AND status = 'active' RETURNING seal_epoch`,
);

// Expired tokens stay: they are answered with 403 for 30 days (OPEN-50).
const deleteLive = statement(
  'vaults.delete-live-sessions',
  `DELETE FROM vault_sessions WHERE vault_id = $1 AND expires_at > now()`,
);

const lockSession = statement(
  'vaults.lock-session',
  `SELECT s.id FROM vault_sessions s JOIN vaults v ON v.id = s.vault_id AND v.seal_epoch = s.seal_epoch
    WHERE s.id = $1 AND s.wrapped_key IS NOT NULL FOR SHARE OF s`,
);

const findSessions = statement(
  'vaults.find-sessions',
  `SELECT asked.item, s.id, s.vault_id, s.account_id, s.access_level, s.dvak_id, s.authorized_user_id, s.seal_epoch, s.wrapped_key,
          ${micros('s.issued_at')} AS issued_at_micros, ${micros('s.expires_at')} AS expires_at_micros,
          s.expires_at <= now() AS is_expired, v.seal_epoch AS current_epoch,
          coalesce(d.status <> 'active', false) AS is_dvak_revoked
     FROM unnest($1::bytea[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (lookup, vault_id, account_id, item)
     JOIN vault_sessions s ON s.lookup = asked.lookup
     LEFT JOIN vaults v ON v.id = asked.vault_id AND v.account_id = asked.account_id AND v.status = 'active'
     LEFT JOIN dvaks d ON d.id = s.dvak_id`,
);
