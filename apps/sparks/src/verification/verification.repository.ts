import { Injectable } from '@nestjs/common';
import { AppError, LimitReached } from '@vaultsvc/contracts';
import { Database, epochSeconds, statement, type Transaction } from '@vaultsvc/database';
import type { SealedText } from '../link/link-sealer.js';

/** The lifetime of a code and of the token that it is exchanged for (OPEN-25). */
export const VERIFICATION_MINUTES = 10;
const STARTS_PER_HOUR = 5;

export interface NewVerification {
  readonly id: string;
  readonly identity: SealedText;
  /** null when no code was sent. */
  readonly codeMac: Buffer | null;
}

/** The stored code that one attempt is compared with. */
export interface Attempt {
  readonly kid: string;
  readonly codeMac: Buffer | null;
}

/** A requested code and its identity. */
export interface RequestedCode {
  readonly id: string;
  readonly identity: SealedText;
}

/** The codes and tokens that prove visitors' identities. An attempt is counted before its code is compared. */
@Injectable()
export class VerificationRepository {
  constructor(private readonly database: Database) {}

  /** Counts a start of this hour. Throws LINK_CODES_EXHAUSTED when the link has none left. */
  async countStart(tx: Transaction, linkId: string): Promise<void> {
    if ((await tx.query(countStart, [linkId])).length > 0) return;
    const [row] = await tx.query<{ resets_at: number }>(nextStart, [linkId]);
    if (!row) throw new AppError('LINK_NOT_FOUND');
    const { resets_at } = row;
    throw new LimitReached('LINK_CODES_EXHAUSTED', {
      limit: STARTS_PER_HOUR,
      used: STARTS_PER_HOUR,
      resets_at,
    });
  }

  /** Returns the expiry in epoch seconds. */
  async add(tx: Transaction, { id, identity, codeMac }: NewVerification): Promise<number> {
    const { linkId, kid, sealed } = identity;
    const [row] = await tx.query<{ expires_at: number }>(insert, [id, linkId, kid, sealed, codeMac]);
    return row?.expires_at as number;
  }

  /** The unexpired codes of a link, newest first, including consumed ones and those without attempts left. */
  async findRequested(linkId: string): Promise<RequestedCode[]> {
    const rows = await this.database.query<CodeRow>(findRequested, [linkId]);
    return rows.map((row) => ({ id: row.id, identity: toSealedText(linkId, row) }));
  }

  /** Uses one attempt; undefined when none is left. The conditional update holds the limit under concurrency. */
  async useAttempt(id: string): Promise<Attempt | undefined> {
    const [row] = await this.database.query<{ kid: string; code_mac: Buffer | null }>(useAttempt, [id]);
    return row && { kid: row.kid, codeMac: row.code_mac };
  }

  /** Exchanges a code for a token. Returns the token's expiry in epoch seconds; undefined if the code is consumed. */
  async exchange(id: string, tokenLookup: Buffer): Promise<number | undefined> {
    const [row] = await this.database.query<{ expires_at: number }>(exchange, [id, tokenLookup]);
    return row?.expires_at;
  }

  /** The identity that was proved for this link with this token. */
  async findByToken(linkId: string, tokenLookup: Buffer): Promise<SealedText | undefined> {
    const [row] = await this.database.query<CodeRow>(findByToken, [linkId, tokenLookup]);
    return row && toSealedText(linkId, row);
  }
}

interface CodeRow {
  id: string;
  kid: string;
  sealed_identity: Buffer;
}

function toSealedText(linkId: string, { kid, sealed_identity: sealed }: CodeRow): SealedText {
  return { linkId, kid, sealed };
}

const countStart = statement(
  'sparks.count-start',
  `UPDATE sparklinks
      SET verify_starts = CASE WHEN verify_since > clock_timestamp() - interval '1 hour' THEN verify_starts + 1 ELSE 1 END,
          verify_since = CASE WHEN verify_since > clock_timestamp() - interval '1 hour' THEN verify_since ELSE clock_timestamp() END
    WHERE id = $1 AND (verify_since IS NULL OR verify_since <= clock_timestamp() - interval '1 hour' OR verify_starts < ${STARTS_PER_HOUR})
    RETURNING id`,
);

const nextStart = statement(
  'sparks.next-start',
  `SELECT ceil(extract(epoch FROM verify_since + interval '1 hour'))::bigint AS resets_at FROM sparklinks WHERE id = $1`,
);

// The clock's time, not the transaction's: the row lock serializes the starts of a link, and orders their codes.
const insert = statement(
  'sparks.insert-verification',
  `INSERT INTO verifications (id, link_id, kid, sealed_identity, code_mac, created_at, expires_at)
   SELECT $1, $2, $3, $4, $5, now, now + interval '${VERIFICATION_MINUTES} minutes' FROM clock_timestamp() AS now
   RETURNING ${epochSeconds('expires_at')}`,
);

const findRequested = statement(
  'sparks.find-requested-codes',
  `SELECT id, kid, sealed_identity FROM verifications
    WHERE link_id = $1 AND expires_at > clock_timestamp() ORDER BY created_at DESC, id`,
);

const useAttempt = statement(
  'sparks.use-attempt',
  `UPDATE verifications SET tries_left = tries_left - 1
    WHERE id = $1 AND tries_left > 0 AND token_lookup IS NULL AND expires_at > clock_timestamp()
    RETURNING kid, code_mac`,
);

const exchange = statement(
  'sparks.exchange-code',
  `UPDATE verifications
      SET token_lookup = $2, token_expires_at = clock_timestamp() + interval '${VERIFICATION_MINUTES} minutes', code_mac = NULL
    WHERE id = $1 AND token_lookup IS NULL AND code_mac IS NOT NULL AND expires_at > clock_timestamp()
    RETURNING ${epochSeconds('token_expires_at', 'expires_at')}`,
);

const findByToken = statement(
  'sparks.find-by-token',
  `SELECT id, kid, sealed_identity FROM verifications
    WHERE token_lookup = $2 AND link_id = $1 AND token_expires_at > clock_timestamp()`,
);
