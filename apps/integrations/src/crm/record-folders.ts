import { Injectable } from '@nestjs/common';
import { openRecordFolder } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement } from '@vaultsvc/database';
import { Bus } from '@vaultsvc/messaging';
import { AppCatalog } from '../catalog/app-catalog.js';
import { appActorOf } from '../installations/app-actor.js';
import { contextOf } from '../installations/installation-context.js';
import type { CrmCaller } from './crm-caller.js';
import { normalizeRecord, shortForm, type RecordKey } from './record-key.js';
import { FOLDERS_OF_TYPE, folderKeyOf, RecordPermissions } from './record-permissions.js';

/** Of two ids of 128 characters; a folder's name has 255 at most, and may get a number. */
const NAME_MAX = 240;

/**
 * One folder for each record in the vault of the installation (CRA-04). It belongs to the account, the app, the portal or org,
 * the vault and the record: what our table says alone, never its name, which several records and portals may have. Rows outlive
 * installations, so that a portal that comes back to the vault finds its folders again. A folder may be renamed and moved.
 */
@Injectable()
export class RecordFolders {
  constructor(
    private readonly database: Database,
    private readonly permissions: RecordPermissions,
    private readonly catalog: AppCatalog,
    private readonly bus: Bus,
  ) {}

  /**
   * The id of the folder, which is created when it does not exist. Its id is decided by the row, before vaults creates it: of
   * concurrent callers all create the same one.
   */
  async findOrCreate(caller: CrmCaller, record: RecordKey): Promise<string> {
    const folder_id =
      (await this.permissions.folderOf(caller, record)) ?? (await this.#reserve(caller, record));
    const { installation, userId, requestId, deadlineMs } = caller;
    const person = appActorOf(installation, userId);
    const place = { vault_id: installation.vaultId, folder_id, ...this.#names(caller, record) };
    await this.bus.call(
      openRecordFolder,
      { body: place },
      contextOf(installation, requestId, deadlineMs, person),
    );
    return folder_id;
  }

  async #reserve(caller: CrmCaller, record: RecordKey): Promise<string> {
    const key = folderKeyOf(caller, record);
    const short = shortForm(caller.installation.appId, key.at(-1) as string);
    const [row] = await this.database.query<{ folder_id: string }>(reserve, [...key, short, newId('fld_')]);
    return (row as { folder_id: string }).folder_id;
  }

  #names({ installation: { appId, remoteId } }: CrmCaller, record: RecordKey) {
    const { object_type, record_id } = normalizeRecord(appId, record);
    const parent = `${this.catalog.entry(appId).name} (${remoteId})`;
    return { parent, name: `${object_type} ${record_id}`.slice(0, NAME_MAX) };
  }
}

// An instance of the release before this one, which still runs during a rollout, writes the id as it was given.
const reserve = statement(
  'integrations.reserve-record-folder',
  `INSERT INTO record_folders AS r (account_id, app_id, remote_id, vault_id, object_type, record_id, folder_id)
   VALUES ($1, $2, $3, $4, $5, $6,
           coalesce((SELECT folder_id FROM record_folders WHERE ${FOLDERS_OF_TYPE} AND record_id = $7::text), $8))
   ON CONFLICT (account_id, app_id, remote_id, vault_id, object_type, record_id)
     DO UPDATE SET folder_id = r.folder_id RETURNING folder_id`,
);
