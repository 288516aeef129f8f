import { Injectable } from '@nestjs/common';
import { STREAM_IDLE_SECONDS, type Transfer } from '@vaultsvc/contracts/forge';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import { assertUsable, istkRefused, type Istk, type TakenIstk } from './istk.js';
import { istkColumns, istkOf, type IstkRow, takenIstkOf, type TakenIstkRow } from './istk-row.js';

/** ISTKs. No row holds one: it is found by its hash, and the row's wrap opens with the token alone. */
@Injectable()
export class IstkRepository {
  constructor(private readonly database: Database) {}

  /** The same one twice is admitted once, also when it was used in between. */
  async admit(transfer: Transfer): Promise<void> {
    await this.database.query(insertIstk, [
      Buffer.from(transfer.lookup, 'base64url'),
      transfer.account_id,
      transfer.vault_id,
      transfer.ingot_id,
      transfer.version_id,
      transfer.operation,
      transfer.mode,
      transfer.bytes_max,
      transfer.size_bytes,
      transfer.content_type,
      transfer.filename,
      transfer.dvak_id,
      transfer.seal_epoch,
      Buffer.from(transfer.wrapped_key, 'base64url'),
      transfer.expires_at,
      STREAM_IDLE_SECONDS,
    ]);
  }

  /** Reads and changes nothing; `assertUsable` says whether it may be used. */
  async find(lookup: Buffer, on: Queryable = this.database): Promise<Istk | undefined> {
    const [row] = await on.query<IstkRow>(findIstk, [lookup]);
    return row && istkOf(row);
  }

  /**
   * Consumes an ISTK for one upload, and takes its wrap out of the database with the caller's commit. Of any number at
   * once one wins; the others wait for it. Throws AUTHENTICATION_ERROR with `details.code` ISTK_INVALID (unknown,
   * revoked or for downloads), ISTK_USED or ISTK_EXPIRED.
   */
  async consumeForUpload(tx: Queryable, lookup: Buffer): Promise<TakenIstk> {
    const [row] = await tx.query<TakenIstkRow>(consumeUpload, [lookup]);
    if (row) return takenIstkOf(row);
    assertUsable(await this.find(lookup, tx), 'encrypt');
    throw istkRefused('ISTK_INVALID');
  }
}

const insertIstk = statement(
  'forge.insert-istk',
  `INSERT INTO istks (lookup, account_id, vault_id, ingot_id, version_id, operation, mode, bytes_max, size_bytes,
                      content_type, filename, dvak_id, seal_epoch, wrapped_key, expires_at, idle_until)
   VALUES ($1, $2, $3, $4, $5, $6, $7::text, $8, $9, $10, $11, $12, $13, $14, to_timestamp($15::bigint),
           CASE WHEN $7::text = 'stream' THEN now() + $16::int * interval '1 second' END)
   ON CONFLICT (lookup) DO NOTHING`,
);

const findIstk = statement('forge.find-istk', `SELECT ${istkColumns} FROM istks i WHERE lookup = $1`);

// RETURNING gives new values: the wrap as it was comes from the row that was locked first.
const consumeUpload = statement(
  'forge.consume-istk-for-upload',
  `WITH held AS (SELECT lookup, wrapped_key FROM istks WHERE lookup = $1 FOR UPDATE)
   UPDATE istks i SET used_at = clock_timestamp(), wrapped_key = NULL
     FROM held
    WHERE i.lookup = held.lookup AND i.operation = 'encrypt' AND i.used_at IS NULL AND i.revoked_at IS NULL
      AND i.expires_at > now() AND i.wrapped_key IS NOT NULL
   RETURNING ${istkColumns}, held.wrapped_key AS taken_key`,
);
