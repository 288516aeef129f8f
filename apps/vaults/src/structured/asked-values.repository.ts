import { Injectable } from '@nestjs/common';
import { SPARK_PAYLOAD_BYTES_MAX } from '@vaultsvc/contracts/sparks';
import { Database, statement } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { FoundStructured } from './structured-finder.js';

/** A value as its row has it, and what it is bound to. */
export interface StoredValue {
  readonly blind: Buffer;
  /** Of its text. */
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly version: number;
  /** null as soon as one of those that were asked for is too large for a Spark: none of them leaves then. */
  readonly sealedValue: Buffer | null;
}

interface Row extends Omit<StoredValue, 'blind'> {
  /** null, as all of it: none of the keys is there. */
  readonly blind: Buffer | null;
}

/** The values of structured ingots, by the blind index of the names of their keys. */
@Injectable()
export class AskedValues {
  constructor(private readonly database: Database) {}

  /**
   * Those that are there: one statement, so that no change comes between. Undefined when the ingot is gone or has another
   * key by now.
   */
  async of(
    { vaultId }: VaultIdentity,
    { ingotId, wrappedKey }: FoundStructured,
    blinds: readonly Buffer[],
  ): Promise<StoredValue[] | undefined> {
    const values = [vaultId, ingotId, wrappedKey, blinds, SPARK_PAYLOAD_BYTES_MAX];
    const rows = await this.database.query<Row>(findValues, values);
    if (rows.length === 0) return undefined;
    return rows.flatMap(({ blind, ...value }) => (blind ? [{ ...value, blind }] : []));
  }
}

// Sizes decide within the statement: 100 MB that cannot be given never leave the database. Each key by itself: with ANY the
// planner takes an ingot for a small one, once it plans for all of them, and reads all 10,000 rows to find one.
export const findValues = statement(
  'vaults.find-structured-values',
  `SELECT v.blind, v.size_bytes AS "sizeBytes", v.content_type AS "contentType", v.version,
          CASE WHEN max(v.size_bytes) OVER () <= $5 THEN v.sealed_value END AS "sealedValue"
     FROM structured_ingots s
     LEFT JOIN (unnest($4::bytea[]) asked (key) CROSS JOIN LATERAL (
       SELECT * FROM structured_values WHERE vault_id = $1 AND ingot_id = $2 AND blind = asked.key LIMIT 1) v) ON true
    WHERE s.vault_id = $1 AND s.ingot_id = $2 AND s.wrapped_key = $3`,
);
