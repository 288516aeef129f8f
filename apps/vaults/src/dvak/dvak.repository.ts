import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import type { DvakTerms } from '../keys/vault-key.js';

/** A delegated key that is in force. */
export interface ActiveDvak {
  readonly vaultId: string;
  readonly terms: DvakTerms;
  readonly wrappedKey: Buffer;
}

/** Delegated keys. No row holds one: it is found by its hash, and the row's wrap opens with the key alone. */
@Injectable()
export class DvakRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** An active key of the account, whichever vault it is of. */
  async findActive(lookup: Buffer, accountId: string): Promise<ActiveDvak | undefined> {
    const [row] = await this.database.query<ActiveRow>(findActive, [lookup, accountId]);
    return row && { vaultId: row.vault_id, terms: row, wrappedKey: row.wrapped_key };
  }

  /** Counts a use. Throws DVAK_INVALID when the key was revoked meanwhile; holds it until the commit otherwise. */
  async use(tx: Queryable, dvakId: string): Promise<void> {
    const used = await tx.query(countUse, [dvakId]);
    if (used.length === 0) throw new AppError('DVAK_INVALID');
  }
}

interface ActiveRow extends DvakTerms {
  [column: string]: unknown;
  vault_id: string;
  wrapped_key: Buffer;
}

const findActive = statement(
  'vaults.find-active-dvak',
  `SELECT vault_id, wrapped_key, id AS "dvakId", dvak_type AS "dvakType",
          authorized_user_id AS "authorizedUserId", access_level AS "accessLevel"
     FROM dvaks WHERE lookup = $1 AND account_id = $2 AND status = 'active'`,
);

const countUse = statement(
  'vaults.count-dvak-use',
  `UPDATE dvaks SET use_count = use_count + 1, last_used_at = now() WHERE id = $1 AND status = 'active' RETURNING id`,
);
