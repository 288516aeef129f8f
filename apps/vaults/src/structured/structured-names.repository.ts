import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Database, epochSeconds, statement } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';

/** The name of a key as its row has it. */
export interface SealedName {
  readonly blind: Buffer;
  readonly sealedName: Buffer;
}

/** The names of one moment, and what the ingot was then. */
export interface SealedNames {
  readonly name: string;
  readonly version: number;
  readonly keyCount: number;
  /** Epoch seconds. */
  readonly updatedAt: number;
  /** What opens these names. */
  readonly wrappedKey: Buffer;
  readonly names: readonly SealedName[];
}

type Row = Omit<SealedNames, 'names'> & {
  /** null, as the name: an ingot without keys has one row. */
  readonly blind: Buffer | null;
  readonly sealedName: Buffer | null;
  /** Whether the access token is still there: what ends it deletes it. */
  readonly isOpen: boolean;
};

/** The names of the keys of structured ingots. */
@Injectable()
export class StructuredNames {
  constructor(private readonly database: Database) {}

  /**
   * All of them, with their version and its key: one statement, so that no change comes between. Throws INGOT_NOT_FOUND
   * when the ingot is gone, and AUTHENTICATION_ERROR when the access token is: whoever asks may have waited for long.
   */
  async of({ vaultId }: VaultIdentity, ingotId: string, vatId: string): Promise<SealedNames> {
    const rows = await this.database.query<Row>(listNames, [vaultId, ingotId, vatId]);
    if (!rows[0]) throw new AppError('INGOT_NOT_FOUND');
    if (!rows[0].isOpen) throw new AppError('AUTHENTICATION_ERROR');
    return namesOf(rows[0], rows);
  }
}

function namesOf(first: Row, rows: readonly Row[]): SealedNames {
  const { name, version, keyCount, updatedAt, wrappedKey } = first;
  const names = rows.flatMap(({ blind, sealedName }) => (blind && sealedName ? [{ blind, sealedName }] : []));
  return { name, version, keyCount, updatedAt, wrappedKey, names };
}

// The first row alone carries what all would repeat.
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
