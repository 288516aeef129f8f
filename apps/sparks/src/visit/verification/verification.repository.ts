import { Injectable } from '@nestjs/common';
import { Database, epochSeconds, type Queryable, statement, type Transaction } from '@vaultsvc/database';
import type { SealedLinkText } from '../../link/link-sealer.js';
import type { CodeSubject } from './code-budget.repository.js';

/** The lifetime of a code and of the token that it is exchanged for (OPEN-25). */
export const VERIFICATION_MINUTES = 10;

/** How an identity was proved. */
export type VerificationMethod = 'code' | 'passkey';

/** An identity that was proved with a token. */
export interface FoundVerification extends SealedLinkText {
  readonly method: VerificationMethod;
  /** Epoch seconds. */
  readonly verifiedAt: number;
}

export interface NewVerification {
  readonly id: string;
  readonly subject: CodeSubject;
  readonly identity: SealedLinkText;
  /** null when no code was sent. */
  readonly codeMac: Buffer | null;
}

/** A requested code. */
export interface RequestedCode {
  readonly id: string;
  /** The data key of its MAC. */
  readonly kid: string;
}

/** The stored code that one attempt is compared with. */
export interface Attempt {
  /** null when no code was sent. */
  readonly codeMac: Buffer | null;
}

/** The codes and tokens that prove visitors' identities. An attempt is counted before its code is compared. */
@Injectable()
export class VerificationRepository {
  constructor(private readonly database: Database) {}

  /** Returns the expiry in epoch seconds. */
  async add(tx: Transaction, { id, subject, identity, codeMac }: NewVerification): Promise<number> {
    const { linkId, kid, sealed } = identity;
    const values = [id, linkId, subject.mac, kid, sealed, codeMac];
    const [row] = await tx.query<{ expires_at: number }>(insert, values);
    return row?.expires_at as number;
  }

  /** The newest unexpired code of an identity, also one that is consumed or without attempts left. */
  async findNewest({ linkId, mac }: CodeSubject): Promise<RequestedCode | undefined> {
    const [row] = await this.database.query<RequestedCode & Record<string, unknown>>(findNewest, [
      linkId,
      mac,
    ]);
    return row;
  }

  /**
   * Uses one attempt; undefined when none is left, and when a newer code of the identity has replaced this one. The
   * conditional update holds the limit under concurrency.
   */
  async useAttempt(tx: Transaction, { linkId, mac }: CodeSubject, id: string): Promise<Attempt | undefined> {
    const [row] = await tx.query<{ code_mac: Buffer | null }>(useAttempt, [linkId, mac, id]);
    return row && { codeMac: row.code_mac };
  }

  /** Exchanges a code for a token. Returns the token's expiry in epoch seconds; undefined if the code is consumed. */
  async exchange(tx: Queryable, id: string, tokenLookup: Buffer): Promise<number | undefined> {
    const [row] = await tx.query<{ expires_at: number }>(exchange, [id, tokenLookup]);
    return row?.expires_at;
  }

  /**
   * Adds an identity that a passkey has proved. Returns the token's expiry in epoch seconds. Without the MAC of the identity:
   * the row replaces no code.
   */
  async addProved(
    tx: Queryable,
    { linkId, kid, sealed }: SealedLinkText,
    tokenLookup: Buffer,
  ): Promise<number> {
    const [row] = await tx.query<{ expires_at: number }>(insertProved, [linkId, kid, sealed, tokenLookup]);
    return row?.expires_at as number;
  }

  /** The identity that was proved for this link with this token. */
  async findByToken(linkId: string, tokenLookup: Buffer): Promise<FoundVerification | undefined> {
    const [row] = await this.database.query<TokenRow>(findByToken, [linkId, tokenLookup]);
    if (!row) return undefined;
    const { kid, sealed_identity: sealed, method, verified_at: verifiedAt } = row;
    return { linkId, kid, sealed, method, verifiedAt };
  }
}

interface TokenRow {
  kid: string;
  sealed_identity: Buffer;
  method: VerificationMethod;
  verified_at: number;
}

// The clock's time, not the transaction's: the lock of the budget serializes the starts of an identity, and orders them.
const insert = statement(
  'sparks.insert-verification',
  `INSERT INTO verifications (id, link_id, identity_mac, kid, sealed_identity, code_mac, created_at, expires_at)
   SELECT $1, $2, $3, $4, $5, $6, now, now + interval '${VERIFICATION_MINUTES} minutes' FROM clock_timestamp() AS now
   RETURNING ${epochSeconds('expires_at')}`,
);

const NEWEST = `
  SELECT id FROM verifications WHERE link_id = $1 AND identity_mac = $2 ORDER BY created_at DESC, id LIMIT 1`;

const findNewest = statement(
  'sparks.find-newest-code',
  `SELECT id, kid FROM verifications WHERE id = (${NEWEST}) AND expires_at > clock_timestamp()`,
);

const useAttempt = statement(
  'sparks.use-attempt',
  `UPDATE verifications SET tries_left = tries_left - 1
    WHERE id = $3 AND id = (${NEWEST}) AND tries_left > 0 AND token_lookup IS NULL AND expires_at > clock_timestamp()
    RETURNING code_mac`,
);

// A consumed code has lost its MAC.
const exchange = statement(
  'sparks.exchange-code',
  `UPDATE verifications
      SET token_lookup = $2, token_expires_at = clock_timestamp() + interval '${VERIFICATION_MINUTES} minutes', code_mac = NULL
    WHERE id = $1 AND code_mac IS NOT NULL AND expires_at > clock_timestamp()
    RETURNING ${epochSeconds('token_expires_at', 'expires_at')}`,
);

const insertProved = statement(
  'sparks.insert-proved-identity',
  `INSERT INTO verifications (link_id, kid, sealed_identity, method, tries_left, created_at, expires_at, token_lookup, token_expires_at)
   SELECT $1, $2, $3, 'passkey', 0, now, expiry, $4, expiry
     FROM clock_timestamp() AS now, LATERAL (SELECT now + interval '${VERIFICATION_MINUTES} minutes' AS expiry) AS period
   RETURNING ${epochSeconds('token_expires_at', 'expires_at')}`,
);

const findByToken = statement(
  'sparks.find-by-token',
  `SELECT kid, sealed_identity, method,
          ${epochSeconds(`token_expires_at - interval '${VERIFICATION_MINUTES} minutes'`, 'verified_at')}
     FROM verifications
    WHERE token_lookup = $2 AND link_id = $1 AND token_expires_at > clock_timestamp()`,
);
