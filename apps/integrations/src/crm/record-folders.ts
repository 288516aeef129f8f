import { Injectable } from '@nestjs/common';
import { openFolder } from '@vaultsvc/contracts/vaults';
import { Database, statement } from '@vaultsvc/database';
import { Bus } from '@vaultsvc/messaging';
import { AppCatalog } from '../catalog/app-catalog.js';
import { contextOf } from '../installations/installation-context.js';
import type { CrmCaller, RecordKey } from './crm-caller.js';

/** One folder for each record in the vault of the installation (CRA-04). It may be renamed and moved. */
@Injectable()
export class RecordFolders {
  constructor(
    private readonly database: Database,
    private readonly catalog: AppCatalog,
    private readonly bus: Bus,
  ) {}

  /** The id of the folder, which is made when it does not exist. */
  async open(caller: CrmCaller, record: RecordKey): Promise<string> {
    const { installation, requestId, deadlineMs } = caller;
    const known = await this.#find(caller, record);
    const { name } = this.catalog.entry(installation.appId);
    const path = `${name}/${record.object_type} ${record.record_id}`;
    const body = { vault_id: installation.vaultId, path, ...(known !== undefined && { folder_id: known }) };
    const { folder_id } = await this.bus.call(
      openFolder,
      { body },
      contextOf(installation, requestId, deadlineMs),
    );
    if (folder_id !== known) await this.database.query(putFolder, [...keyOf(caller, record), folder_id]);
    return folder_id;
  }

  async #find(caller: CrmCaller, record: RecordKey): Promise<string | undefined> {
    const [row] = await this.database.query<{ folder_id: string }>(findFolder, keyOf(caller, record));
    return row?.folder_id;
  }
}

function keyOf({ installation }: CrmCaller, { object_type, record_id }: RecordKey): unknown[] {
  const { accountId, appId, remoteId, vaultId } = installation;
  return [accountId, appId, remoteId, vaultId, object_type, record_id];
}

const KEY = `account_id = $1 AND app_id = $2 AND remote_id = $3 AND vault_id = $4 AND object_type = $5 AND record_id = $6`;

const findFolder = statement('integrations.find-folder', `SELECT folder_id FROM record_folders WHERE ${KEY}`);

const putFolder = statement(
  'integrations.put-folder',
  `INSERT INTO record_folders (account_id, app_id, remote_id, vault_id, object_type, record_id, folder_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (account_id, app_id, remote_id, vault_id, object_type, record_id) DO UPDATE SET folder_id = $7`,
);
