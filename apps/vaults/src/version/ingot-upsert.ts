import { Injectable } from '@nestjs/common';
import { AppError, assertPoolsAvailable, type AccountContext } from '@vaultsvc/contracts';
import { ingotCreated, ingotReplaced, vaultActionOf } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { ConcurrentModification, Database, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { FolderPaths } from '../folder/folder-path.js';
import { ingotNameKey } from '../ingot/ingot-name.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { LockVault } from '../session/vault-access.js';
import { UploadSource } from './upload-source.js';
import { VersionRepository, type NewVersion, type PlaceHolder } from './version.repository.js';

/** Where a caller wants an ingot: in a folder (null: the root), or at the end of a path that is made if need be. */
export interface WantedPlace {
  readonly name: string;
  readonly folder: { readonly id: string | null } | { readonly path: string };
}

/** What an upload is going to write, as far as it is known before. Keys are bound to the id of the ingot. */
export interface Upsert {
  readonly place: WantedPlace;
  readonly ingotId: string;
  readonly isNew: boolean;
  /** Of a new one. */
  readonly uploadSource: string | null;
}

/** Makes the ingot of a name in a folder, or takes the one that is there (ING-08, AMB-15). */
@Injectable()
export class IngotUpsert {
  constructor(
    private readonly database: Database,
    private readonly paths: FolderPaths,
    private readonly versions: VersionRepository,
    private readonly source: UploadSource,
    private readonly outbox: Outbox,
  ) {}

  /** Throws, in this order (AMB-13): 400, FOLDER_NOT_FOUND, INGOT_MANAGED, 402. */
  async plan(vault: VaultIdentity, place: WantedPlace, context: AccountContext): Promise<Upsert> {
    const holder = await this.#holderOf(vault, place);
    if (holder?.isManaged) throw new AppError('INGOT_MANAGED');
    assertPoolsAvailable(context, 'bandwidth');
    if (holder) return { place, ingotId: holder.ingotId, isNew: false, uploadSource: null };
    return { place, ingotId: newId('ing_'), isNew: true, uploadSource: await this.source.of(context) };
  }

  /** Throws `ConcurrentModification` when the place has another holder by now. */
  async write(
    tx: Transaction,
    { place, isNew, uploadSource }: Upsert,
    lock: LockVault,
    version: NewVersion,
    context: AccountContext,
  ): Promise<void> {
    const folderId = await this.#folderOf(tx, version.vaultId, place, context);
    await lock(tx);
    const at = { folderId, name: place.name };
    const isWritten = isNew
      ? await this.versions.insertIngot(tx, at, version, uploadSource)
      : await this.versions.reopen(tx, at, version);
    if (!isWritten) throw new ConcurrentModification();
    const action = { ...vaultActionOf(context, version.vaultId), ingot_id: version.ingotId };
    await this.outbox.publish(tx, isNew ? ingotCreated : ingotReplaced, action, context);
  }

  async #holderOf(vault: VaultIdentity, { name, folder }: WantedPlace): Promise<PlaceHolder | undefined> {
    ingotNameKey(name); // 400 comes first, also where there is no folder to look in
    const folderId =
      'id' in folder ? folder.id : await this.paths.find(this.database, vault.vaultId, folder.path);
    return folderId === undefined ? undefined : this.versions.holderOf(vault, { folderId, name });
  }

  async #folderOf(
    tx: Transaction,
    vaultId: string,
    { folder }: WantedPlace,
    context: AccountContext,
  ): Promise<string | null> {
    return 'id' in folder ? folder.id : this.paths.findOrCreatePath(tx, vaultId, folder.path, context);
  }
}
