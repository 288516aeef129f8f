import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { SPARK_PAYLOAD_BYTES_MAX } from '@vaultsvc/contracts/sparks';
import {
  Database,
  epochSeconds,
  namedStatement,
  packByteArrays,
  statement,
  type Queryable,
} from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import { chunksOf } from './chunked-work.js';
import type { FoundStructured } from './structured-finder.js';
import type { StructuredIdentity } from './structured-key.js';

/** The row of a key: its blind index, its sealed name and its sealed value. */
export interface SealedValue {
  readonly blind: Buffer;
  readonly sealedName: Buffer;
  readonly sealedValue: Buffer;
  readonly contentType: string;
  /** Of the plaintext. */
  readonly sizeBytes: number;
}

/** A value as it is read, with the associated data that its seal is bound to. */
export interface StoredValue {
  readonly blind: Buffer;
  /** Of the plaintext. */
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly version: number;
  /** null as soon as one of the requested values is too large for a Spark: then none of them is released. */
  readonly sealedValue: Buffer | null;
}

export type SealedName = Pick<SealedValue, 'blind' | 'sealedName'>;

/** All key names of an ingot, and the ingot at the same moment. */
export interface SealedNames {
  readonly name: string;
  readonly version: number;
  readonly keyCount: number;
  /** Epoch seconds. */
  readonly updatedAt: number;
  /** The key that opens the names. */
  readonly wrappedKey: Buffer;
  readonly names: readonly SealedName[];
}

/** Count and bytes of the values that a statement removed. */
export interface RemovedValues {
  readonly count: number;
  readonly bytes: number;
}

type IngotRef = Pick<StructuredIdentity, 'vaultId' | 'ingotId'>;

/** A large chunk, since the vault is locked and between two statements the process does other work. */
const WRITTEN_BATCH = 2_500;
/** One statement removes as many values of 1 MiB in less than a second. */
const REMOVED_BATCH = 500;

/** The keys and values of structured ingots. Callers that write have changed the row of the ingot first. */
@Injectable()
export class StructuredValueRepository {
  constructor(private readonly database: Database) {}

  /**
   * All names with the version and key that they belong to, from one statement: no change comes between. Throws
   * INGOT_NOT_FOUND when the ingot was deleted, AUTHENTICATION_ERROR when the token ended while the caller was queued.
   */
  async listNames({ vaultId }: VaultIdentity, ingotId: string, vatId: string): Promise<SealedNames> {
    const rows = await this.database.query<NameRow>(listNames, [vaultId, ingotId, vatId]);
    if (!rows[0]) throw new AppError('INGOT_NOT_FOUND');
    if (!rows[0].isOpen) throw new AppError('AUTHENTICATION_ERROR');
    return namesOf(rows[0], rows);
  }

  /**
   * The values of the keys that exist, from one statement: no change comes between. Undefined when the ingot was deleted
   * or overwritten since it was found.
   */
  async find(
    { vaultId }: VaultIdentity,
    { ingotId, wrappedKey }: FoundStructured,
    blinds: readonly Buffer[],
  ): Promise<StoredValue[] | undefined> {
    const values = [vaultId, ingotId, wrappedKey, blinds, SPARK_PAYLOAD_BYTES_MAX];
    const rows = await this.database.query<ValueRow>(findValues, values);
    if (rows.length === 0) return undefined;
    return rows.flatMap(({ blind, ...value }) => (blind ? [{ ...value, blind }] : []));
  }

  /** Inserts keys that have no row yet, as of `version`. */
  async insert(
    tx: Queryable,
    { vaultId, ingotId }: IngotRef,
    version: number,
    values: readonly SealedValue[],
  ): Promise<void> {
    for (const chunk of chunksOf(values, WRITTEN_BATCH))
      await tx.query(insertValues, insertValues.valuesOf({ vaultId, ingotId, version, ...columnsOf(chunk) }));
  }

  /** Removes those of these keys that exist. */
  async remove(
    tx: Queryable,
    { vaultId, ingotId }: IngotRef,
    blinds: readonly Buffer[],
  ): Promise<RemovedValues> {
    let removed = { count: 0, bytes: 0 };
    for (const chunk of chunksOf(blinds, WRITTEN_BATCH)) {
      const [row] = await tx.query<{ count: number; bytes: number }>(removeValues, [vaultId, ingotId, chunk]);
      if (row) removed = { count: removed.count + row.count, bytes: removed.bytes + row.bytes };
    }
    return removed;
  }

  /** Removes all values of an ingot, in several statements: a statement has a time limit, whatever the ingot holds. */
  async removeAll(tx: Queryable, { vaultId, ingotId }: IngotRef): Promise<void> {
    let removed = REMOVED_BATCH;
    while (removed === REMOVED_BATCH)
      removed = (await tx.query(removeSome, [vaultId, ingotId, REMOVED_BATCH])).length;
  }
}

type NameRow = Omit<SealedNames, 'names'> & {
  /** null, as the sealed name, in the only row of an ingot without keys. */
  readonly blind: Buffer | null;
  readonly sealedName: Buffer | null;
  /** Whether the access token still exists; its end deletes it. */
  readonly isOpen: boolean;
};

interface ValueRow extends Omit<StoredValue, 'blind'> {
  /** null, as every other column, when none of the keys exists. */
  readonly blind: Buffer | null;
}

function namesOf(first: NameRow, rows: readonly NameRow[]): SealedNames {
  const { name, version, keyCount, updatedAt, wrappedKey } = first;
  const names = rows.flatMap(({ blind, sealedName }) => (blind && sealedName ? [{ blind, sealedName }] : []));
  return { name, version, keyCount, updatedAt, wrappedKey, names };
}

function columnsOf(values: readonly SealedValue[]) {
  const [blindStarts, blindLengths, blinds] = packByteArrays(values.map(({ blind }) => blind));
  const [nameStarts, nameLengths, names] = packByteArrays(values.map(({ sealedName }) => sealedName));
  const [valueStarts, valueLengths, sealed] = packByteArrays(values.map(({ sealedValue }) => sealedValue));
  return {
    contentTypes: values.map(({ contentType }) => contentType),
    sizes: values.map(({ sizeBytes }) => sizeBytes),
    ...{ blindStarts, blindLengths, blinds },
    ...{ nameStarts, nameLengths, names },
    ...{ valueStarts, valueLengths, sealed },
  };
}

interface ValuesInsert extends IngotRef, ReturnType<typeof columnsOf> {
  readonly version: number;
}

// Only the first row carries the columns that would be the same in all.
const listNames = statement(
  'vaults.list-structured-names',
  `SELECT s.version, s.key_count AS "keyCount", ${epochSeconds('i.updated_at', 'updatedAt')},
          CASE WHEN row_number() OVER () = 1 THEN i.name END AS name,
          CASE WHEN row_number() OVER () = 1 THEN s.wrapped_key END AS "wrappedKey",
          v.blind, v.sealed_name AS "sealedName", t.id IS NOT NULL AS "isOpen"
     FROM structured_ingots s
     JOIN ingots i ON i.id = s.ingot_id
     LEFT JOIN vault_sessions t ON t.id = $3 AND t.vault_id = s.vault_id AND t.wrapped_key IS NOT NULL
     LEFT JOIN structured_values v ON t.id IS NOT NULL AND v.vault_id = s.vault_id AND v.ingot_id = s.ingot_id
    WHERE s.vault_id = $1 AND s.ingot_id = $2`,
);

// The statement itself checks sizes, so that 100 MB that cannot be released never leave the database. A lateral join per key:
// with ANY the generic plan expects small ingots and reads all 10,000 rows to find one.
export const findValues = statement(
  'vaults.find-structured-values',
  `SELECT v.blind, v.size_bytes AS "sizeBytes", v.content_type AS "contentType", v.version,
          CASE WHEN max(v.size_bytes) OVER () <= $5 THEN v.sealed_value END AS "sealedValue"
     FROM structured_ingots s
     LEFT JOIN (unnest($4::bytea[]) asked (key) CROSS JOIN LATERAL (
       SELECT * FROM structured_values WHERE vault_id = $1 AND ingot_id = $2 AND blind = asked.key LIMIT 1) v) ON true
    WHERE s.vault_id = $1 AND s.ingot_id = $2 AND s.wrapped_key = $3`,
);

const insertValues = namedStatement<ValuesInsert>(
  'vaults.insert-structured-values',
  (v) => `
   INSERT INTO structured_values (vault_id, ingot_id, version, content_type, size_bytes, blind, sealed_name, sealed_value)
   SELECT ${v.vaultId}, ${v.ingotId}, ${v.version}, content_type, size_bytes, substr(${v.blinds}::bytea, blind_start, blind_length),
          substr(${v.names}::bytea, name_start, name_length), substr(${v.sealed}::bytea, value_start, value_length)
     FROM unnest(${v.contentTypes}::text[], ${v.sizes}::int[], ${v.blindStarts}::int[], ${v.blindLengths}::int[],
                 ${v.nameStarts}::int[], ${v.nameLengths}::int[], ${v.valueStarts}::int[], ${v.valueLengths}::int[])
          AS packed (content_type, size_bytes, blind_start, blind_length, name_start, name_length, value_start, value_length)`,
);

// A lateral join per key: with ANY the generic plan reads all rows of the ingot for each chunk. The row of the ingot is
// locked, so no `ctid` changes before the delete.
const removeValues = statement(
  'vaults.remove-structured-values',
  `WITH removed AS (
     DELETE FROM structured_values WHERE ctid = ANY(ARRAY(
       SELECT v.ctid FROM unnest($3::bytea[]) asked (key) CROSS JOIN LATERAL (
         SELECT ctid FROM structured_values WHERE vault_id = $1 AND ingot_id = $2 AND blind = asked.key LIMIT 1) v))
     RETURNING size_bytes)
   SELECT count(*) AS count, coalesce(sum(size_bytes), 0)::bigint AS bytes FROM removed`,
);

const removeSome = statement(
  'vaults.remove-values-of-structured',
  `DELETE FROM structured_values WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM structured_values WHERE vault_id = $1 AND ingot_id = $2 LIMIT $3))
   RETURNING ingot_id`,
);
