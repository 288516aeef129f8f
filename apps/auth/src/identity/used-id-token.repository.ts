import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { statement, type Queryable } from '@vaultsvc/database';
import { decodeJwt } from 'jose';

/** The year 9999, the last that PostgreSQL and JSON dates agree on: the claim may be any number. */
const EPOCH_SECONDS_MAX = 253_402_300_799;

/** ID tokens that have signed in, by their hash, until they expire. */
@Injectable()
export class UsedIdTokenRepository {
  /** Records the use of a verified token; resolves to false if it was used before. A concurrent use waits for the commit. */
  async use(tx: Queryable, token: string): Promise<boolean> {
    const { exp = 0 } = decodeJwt(token);
    return (await tx.query(insertToken, [hashOf(token), Math.min(exp, EPOCH_SECONDS_MAX)])).length > 0;
  }
}

/** Of the signed part alone: anybody can change an ECDSA signature (r, s) to (r, -s), which is valid too. */
function hashOf(token: string): Buffer {
  const signed = token.slice(0, token.lastIndexOf('.'));
  return createHash('sha256').update(signed).digest();
}

// Kept for a minute longer, because verification tolerates some seconds and another clock decides there.
const insertToken = statement(
  'auth.insert-used-id-token',
  `INSERT INTO used_id_tokens (hash, expires_at) VALUES ($1, to_timestamp($2) + interval '1 minute')
   ON CONFLICT DO NOTHING RETURNING 1`,
);
