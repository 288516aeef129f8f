import { Injectable } from '@nestjs/common';
import { packByteArrays, statement, type Queryable } from '@vaultsvc/database';
import { slicesOf } from './in-slices.js';
import type { StructuredIdentity } from './structured-key.js';

/** A key and its value as their row has them. */
export interface SealedValue {
  readonly blind: Buffer;
  readonly sealedName: Buffer;
  readonly sealedValue: Buffer;
  readonly contentType: string;
  /** Of the value before it was sealed. */
  readonly sizeBytes: number;
}

/** What was there and went. */
export interface RemovedValues {
  readonly count: number;
  readonly bytes: number;
}

type IngotRef = Pick<StructuredIdentity, 'vaultId' | 'ingotId'>;

/** Few statements: the vault is held meanwhile, and between two of them the process seals for others. */
const WRITTEN_MAX = 2_500;
/** As many values of 1 MiB as one statement removes in less than a second. */
const REMOVED_MAX = 500;

/** The values of structured ingots. Whoever writes them has changed the row of their ingot before. */
@Injectable()
export class StructuredValues {
  /** Of keys that have no row. All are of the version that writes them. */
  async insert(
    tx: Queryable,
    { vaultId, ingotId }: IngotRef,
    version: number,
    values: readonly SealedValue[],
  ): Promise<void> {
    for (const slice of slicesOf(values, WRITTEN_MAX))
      await tx.query(insertValues, [vaultId, ingotId, version, ...columnsOf(slice)]);
  }

  /** Those of these keys that are there. */
  async remove(tx: Queryable, ingot: IngotRef, blinds: readonly Buffer[]): Promise<RemovedValues> {
    let removed = { count: 0, bytes: 0 };
    for (const slice of slicesOf(blinds, WRITTEN_MAX)) {
      const [gone] = await tx.query<{ count: number; bytes: number }>(removeValues, [
        ingot.vaultId,
        ingot.ingotId,
        slice,
      ]);
      if (gone) removed = { count: removed.count + gone.count, bytes: removed.bytes + gone.bytes };
    }
    return removed;
  }

  /** All of an ingot: several statements, as one is given five seconds whatever its ingot holds. */
  async removeAll(tx: Queryable, { vaultId, ingotId }: IngotRef): Promise<void> {
    let removed = REMOVED_MAX;
    while (removed === REMOVED_MAX)
      removed = (await tx.query(removeSome, [vaultId, ingotId, REMOVED_MAX])).length;
  }
}

function columnsOf(values: readonly SealedValue[]): unknown[] {
  return [
    values.map(({ contentType }) => contentType),
    values.map(({ sizeBytes }) => sizeBytes),
    ...packByteArrays(values.map(({ blind }) => blind)),
    ...packByteArrays(values.map(({ sealedName }) => sealedName)),
    ...packByteArrays(values.map(({ sealedValue }) => sealedValue)),
  ];
}

const insertValues = statement(
  'vaults.insert-structured-values',
  `INSERT INTO structured_values (vault_id, ingot_id, version, content_type, size_bytes, blind, sealed_name, sealed_value)
   SELECT $1, $2, $3, content_type, size_bytes, substr($8::bytea, blind_start, blind_length),
          substr($11::bytea, name_start, name_length), substr($14::bytea, value_start, value_length)
     FROM unnest($4::text[], $5::int[], $6::int[], $7::int[], $9::int[], $10::int[], $12::int[], $13::int[])
          AS v (content_type, size_bytes, blind_start, blind_length, name_start, name_length, value_start, value_length)`,
);

// Each key by itself: with ANY the generic plan reads all rows of the ingot for each slice. The ingot's row is held, so
// that no row moves between the two.
const removeValues = statement(
  'vaults.remove-structured-values',
  `WITH gone AS (
     DELETE FROM structured_values WHERE ctid = ANY(ARRAY(
       SELECT v.ctid FROM unnest($3::bytea[]) asked (key) CROSS JOIN LATERAL (
         SELECT ctid FROM structured_values WHERE vault_id = $1 AND ingot_id = $2 AND blind = asked.key LIMIT 1) v))
     RETURNING size_bytes)
   SELECT count(*) AS count, coalesce(sum(size_bytes), 0)::bigint AS bytes FROM gone`,
);

const removeSome = statement(
  'vaults.remove-values-of-structured',
  `DELETE FROM structured_values WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM structured_values WHERE vault_id = $1 AND ingot_id = $2 LIMIT $3))
   RETURNING ingot_id`,
);
