import { Inject, Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { FoundStructured } from './structured-finder.js';

/** The name of a key as its row has it. */
export interface SealedName {
  readonly blind: Buffer;
  readonly sealedName: Buffer;
}

/** The names of one moment, and what the ingot was then. */
export interface SealedNames {
  readonly version: number;
  readonly keyCount: number;
  /** Epoch seconds. */
  readonly updatedAt: number;
  readonly names: readonly SealedName[];
}

interface Row {
  readonly [column: string]: unknown;
  readonly version: number;
  readonly keyCount: number;
  readonly updatedAt: number;
  /** null, as the name: an ingot without keys has one row. */
  readonly blind: Buffer | null;
  readonly sealedName: Buffer | null;
}

/** The names of the keys of structured ingots. */
@Injectable()
export class StructuredNames {
  constructor(@Inject(Database) private readonly database: Database) {}

  /**
   * All of them, with the version that has them: one statement, so that no change comes between. Undefined when the
   * ingot is gone or has another key by now.
   */
  async of({ vaultId }: VaultIdentity, { ingotId, wrappedKey }: FoundStructured) {
    const rows = await this.database.query<Row>(listNames, [vaultId, ingotId, wrappedKey]);
    return rows[0] && namesOf(rows[0], rows);
  }
}

function namesOf({ version, keyCount, updatedAt }: Row, rows: readonly Row[]): SealedNames {
  const names = rows.flatMap(({ blind, sealedName }) => (blind && sealedName ? [{ blind, sealedName }] : []));
  return { version, keyCount, updatedAt, names };
}

const listNames = statement(
  'vaults.list-structured-names',
  `SELECT s.version, s.key_count AS "keyCount", floor(extract(epoch FROM i.updated_at))::bigint AS "updatedAt",
          v.blind, v.sealed_name AS "sealedName"
     FROM structured_ingots s
     JOIN ingots i ON i.id = s.ingot_id
     LEFT JOIN structured_values v ON v.vault_id = s.vault_id AND v.ingot_id = s.ingot_id
    WHERE s.vault_id = $1 AND s.ingot_id = $2 AND s.wrapped_key = $3`,
);
