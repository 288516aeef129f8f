import type { EncryptionContext } from '@vaultsvc/crypto/kms';
import { statement, type Queryable } from '@vaultsvc/database';

/** A wrapped key of a table. */
export interface WrappedKey {
  /** The primary key, in its order. */
  readonly id: readonly string[];
  readonly wrapped: Buffer;
  readonly context: EncryptionContext;
}

/** A table whose rows have keys that key management wrapped. */
export interface WrappedTable {
  /** Names the table in the report. */
  readonly name: string;
  /** The next rows in the order of the primary key; the first ones without an id. */
  readAfter(id: readonly string[] | undefined, limit: number): Promise<WrappedKey[]>;
  /** Returns false, and changes nothing, if the row is gone or has been changed since it was read. */
  replace(key: WrappedKey, rewrapped: Buffer): Promise<boolean>;
}

/** The table `data_keys` of a service (`CREATE_DATA_KEYS_SQL`). Keys that are due to be destroyed are not moved. */
export function dataKeysTable(database: Queryable, service: string, name = 'data_keys'): WrappedTable {
  return {
    name,
    readAfter: async (id = ['', ''], limit) => {
      const rows = await database.query<DataKeyRow>(readDataKeys, [...id, limit]);
      return rows.map(({ purpose, kid, wrapped }) => ({
        id: [purpose, kid],
        wrapped,
        context: { svc: service, purpose, kid },
      }));
    },
    replace: async ({ id, wrapped }, rewrapped) =>
      (await database.query(replaceDataKey, [...id, wrapped, rewrapped])).length === 1,
  };
}

interface DataKeyRow {
  readonly purpose: string;
  readonly kid: string;
  readonly wrapped: Buffer;
}

const readDataKeys = statement(
  'rewrap.read-data-keys',
  `SELECT purpose, kid, wrapped FROM data_keys
    WHERE (purpose, kid) > ($1, $2) AND (destroy_after IS NULL OR destroy_after > clock_timestamp())
    ORDER BY purpose, kid LIMIT $3`,
);

const replaceDataKey = statement(
  'rewrap.replace-data-key',
  `UPDATE data_keys SET wrapped = $4 WHERE purpose = $1 AND kid = $2 AND wrapped = $3 RETURNING kid`,
);
