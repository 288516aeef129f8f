import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Database, epochSeconds, statement, type Transaction } from '@vaultsvc/database';
import type { SealedText } from '../link/link-seal.js';

/** Of a code and of the token that it is exchanged for (OPEN-25). */
export const VERIFICATION_MINUTES = 10;
const STARTS_PER_HOUR = 5;

export interface NewVerification {
  readonly id: string;
  readonly identity: SealedText;
  /** null where no code was sent. */
  readonly codeMac: Buffer | null;
}

/** What is left of a code after one of its tries was taken. */
export interface Try {
  readonly kid: string;
  readonly codeMac: Buffer | null;
}

/** A code that was asked for, and whose it is. */
export interface AskedCode {
  readonly id: string;
  readonly identity: SealedText;
}

/** Codes and tokens by which visitors prove an identity. What is limited is counted before anything is compared. */
@Injectable()
export class VerificationRepository {
  constructor(private readonly database: Database) {}

  /** Takes one of the link's starts of this hour. Throws LINK_CODES_EXHAUSTED with `resets_at` when there is none. */
  async countStart(tx: Transaction, linkId: string): Promise<void> {
    if ((await tx.query(countStart, [linkId])).length > 0) return;
    const [row] = await tx.query<{ resets_at: number }>(nextStart, [linkId]);
    if (!row) throw new AppError('LINK_NOT_FOUND');
    throw new AppError('LINK_CODES_EXHAUSTED', { resets_at: row.resets_at });
  }

  /** Until when it is good, in epoch seconds. */
  async add(tx: Transaction, { id, identity, codeMac }: NewVerification): Promise<number> {
    const { linkId, kid, sealed } = identity;
    const [row] = await tx.query<{ expires_at: number }>(insert, [id, linkId, kid, sealed, codeMac]);
    return row?.expires_at as number;
  }

  /** The codes of a link that have not expired, the newest first, spent and used up ones among them. */
  async asked(linkId: string): Promise<AskedCode[]> {
    const rows = await this.database.query<CodeRow>(findAsked, [linkId]);
    return rows.map((row) => ({ id: row.id, identity: toText(linkId, row) }));
  }

  /** One try less, if there was one; undefined otherwise. Twenty at once take no more than there are. */
  async takeTry(id: string): Promise<Try | undefined> {
    const [row] = await this.database.query<{ kid: string; code_mac: Buffer | null }>(takeTry, [id]);
    return row && { kid: row.kid, codeMac: row.code_mac };
  }

  /** Exchanges a code for a token, once: the token's end in epoch seconds, undefined for whoever came later. */
  async exchange(id: string, tokenLookup: Buffer): Promise<number | undefined> {
    const [row] = await this.database.query<{ expires_at: number }>(exchange, [id, tokenLookup]);
    return row?.expires_at;
  }

  /** Who has proved to be whom with this token, for this link. */
  async ofToken(linkId: string, tokenLookup: Buffer): Promise<SealedText | undefined> {
    const [row] = await this.database.query<CodeRow>(findByToken, [linkId, tokenLookup]);
    return row && toText(linkId, row);
  }
}

interface CodeRow {
  id: string;
  kid: string;
  sealed_identity: Buffer;
}

function toText(linkId: string, { kid, sealed_identity: sealed }: CodeRow): SealedText {
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

// The time is that of the statement: starts of one link come one after the other, and so do their codes.
const insert = statement(
  'sparks.insert-verification',
  `INSERT INTO verifications (id, link_id, kid, sealed_identity, code_mac, created_at, expires_at)
   SELECT $1, $2, $3, $4, $5, now, now + interval '${VERIFICATION_MINUTES} minutes' FROM clock_timestamp() AS now
   RETURNING ${epochSeconds('expires_at')}`,
);

const findAsked = statement(
  'sparks.find-asked-codes',
  `SELECT id, kid, sealed_identity FROM verifications
    WHERE link_id = $1 AND expires_at > clock_timestamp() ORDER BY created_at DESC, id`,
);

const takeTry = statement(
  'sparks.take-try',
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
