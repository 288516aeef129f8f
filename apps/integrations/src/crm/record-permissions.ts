import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { lookupHash, parseToken } from '@vaultsvc/crypto/tokens';
import { Database, statement } from '@vaultsvc/database';
import type { CrmCaller } from './crm-caller.js';
import { normalizeId, normalizeRecord, type RecordKey } from './record-key.js';

/**
 * Whose files a person of a CRM may use (CRA-06, CRA-08). The guard of the route has checked installation and person; here is
 * checked that the VAT was given to this person, and which folder is this record's; in vaults, `VaultAuthorizer` checks that the
 * VAT is valid, and then `IngotFinder.findInFolder` that the file lies in that folder. Lists need no VAT. Tokens are kept by
 * their hash, so that a copy of the table opens nothing.
 */
@Injectable()
export class RecordPermissions {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async give(vat: string, caller: CrmCaller, expiresAt: number): Promise<void> {
    await this.database.query(insertToken, [lookupOf(vat), ...personOf(caller), expiresAt]);
  }

  /** Throws VERIFIED_REQUEST_REFUSED for a token that was not given to this person of this installation. */
  async assertOf(vat: string, caller: CrmCaller): Promise<void> {
    if ((await this.database.query(findToken, [lookupOf(vat), ...personOf(caller)])).length === 0)
      throw new AppError('VERIFIED_REQUEST_REFUSED');
  }

  /** The id of the record's folder; null before anything was put on the record. Creates nothing. */
  async folderOf(caller: CrmCaller, record: RecordKey): Promise<string | null> {
    const [row] = await this.database.query<{ folder_id: string }>(findFolder, folderKeyOf(caller, record));
    return row?.folder_id ?? null;
  }

  /** Deletes expired tokens some time after their end, so that they are answered as expired. */
  async run(): Promise<void> {
    await this.database.query(deleteExpired, []);
  }
}

/** The person of an installation, whichever form of their id the CRM has sent. */
function personOf({ installation, userId }: CrmCaller): unknown[] {
  const { accountId, appId, generation } = installation;
  return [accountId, appId, generation, normalizeId(appId, 'user_id', userId)];
}

function lookupOf(vat: string): Buffer {
  const bytes = parseToken('vat', vat);
  if (!bytes) throw new AppError('VERIFIED_REQUEST_REFUSED');
  return lookupHash('vat', bytes);
}

/** Folders belong to account, app, portal or org, vault and record (CRA-04). */
export function folderKeyOf({ installation }: CrmCaller, record: RecordKey): unknown[] {
  const { accountId, appId, remoteId, vaultId } = installation;
  const { object_type, record_id } = normalizeRecord(appId, record);
  return [accountId, appId, remoteId, vaultId, object_type, record_id];
}

const insertToken = statement(
  'integrations.insert-token',
  `INSERT INTO record_tokens (lookup, account_id, app_id, generation, user_id, expires_at)
   VALUES ($1, $2, $3, $4, $5, to_timestamp($6))`,
);

const findToken = statement(
  'integrations.find-token',
  `SELECT 1 FROM record_tokens
    WHERE lookup = $1 AND account_id = $2 AND app_id = $3 AND generation = $4 AND user_id = $5`,
);

const deleteExpired = statement(
  'integrations.delete-expired-tokens',
  `DELETE FROM record_tokens WHERE expires_at <= now() - interval '1 day'`,
);

/** The folders of one kind of records. */
export const FOLDERS_OF_TYPE = `account_id = $1 AND app_id = $2 AND remote_id = $3 AND vault_id = $4 AND object_type = $5`;

const findFolder = statement(
  'integrations.find-record-folder',
  `SELECT folder_id FROM record_folders WHERE ${FOLDERS_OF_TYPE} AND record_id = $6`,
);
