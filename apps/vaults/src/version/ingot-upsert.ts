import { Injectable } from '@nestjs/common';
import { AppError, assertPoolsAvailable, serviceContext, type AccountContext } from '@vaultsvc/contracts';
import { describeActor } from '@vaultsvc/contracts/auth';
import { ingotCreated, ingotReplaced, vaultActionOf } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { ConcurrentModification, Database, type Transaction } from '@vaultsvc/database';
import { Bus, Outbox } from '@vaultsvc/messaging';
import { FolderTree } from '../folder/folder-tree.js';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { LockVault } from '../session/vault-authorizer.js';
import { VersionRepository, type NewVersion, type PlaceHolder } from './version.repository.js';
import { boundedNameKey } from '../keys/name-key.js';

/** Where the caller places an ingot: in a folder (null: the root), or at a path whose missing folders are created. */
export interface RequestedPlace {
  readonly name: string;
  readonly folder: { readonly id: string | null } | { readonly path: string };
}

/** The ingot that an upload will write. Its id is fixed beforehand, because keys are bound to it. */
export interface Upsert {
  readonly place: RequestedPlace;
  readonly ingotId: string;
  readonly isNew: boolean;
  /** Of a new ingot. */
  readonly uploadSource: string | null;
}

/** Creates the ingot of a name in a folder, or opens an upload for the existing one (ING-08, AMB-15). */
@Injectable()
export class IngotUpsert {
  constructor(
    private readonly database: Database,
    private readonly folders: FolderTree,
    private readonly versions: VersionRepository,
    private readonly bus: Bus,
    private readonly outbox: Outbox,
  ) {}

  /** Throws, in this order (AMB-13): 400, FOLDER_NOT_FOUND, INGOT_MANAGED, 402. */
  async plan(vault: VaultIdentity, place: RequestedPlace, context: AccountContext): Promise<Upsert> {
    const holder = await this.#holderOf(vault, place);
    if (holder?.isManaged) throw new AppError('INGOT_MANAGED');
    assertPoolsAvailable(context, 'bandwidth');
    if (holder) return { place, ingotId: holder.ingotId, isNew: false, uploadSource: null };
    return { place, ingotId: newId('ing_'), isNew: true, uploadSource: await this.#uploadSource(context) };
  }

  /** Throws `ConcurrentModification` when another transaction has changed the place since `plan`. */
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

  async #holderOf(vault: VaultIdentity, { name, folder }: RequestedPlace): Promise<PlaceHolder | undefined> {
    boundedNameKey(name); // 400 comes first, even without the folder
    const folderId =
      'id' in folder ? folder.id : await this.folders.findPath(this.database, vault.vaultId, folder.path);
    return folderId === undefined ? undefined : this.versions.holderOf(vault, { folderId, name });
  }

  async #folderOf(
    tx: Transaction,
    vaultId: string,
    { folder }: RequestedPlace,
    context: AccountContext,
  ): Promise<string | null> {
    return 'id' in folder ? folder.id : this.folders.findOrCreatePath(tx, vaultId, folder.path, context);
  }
  /**
   * The caller's address, the name of its API key, or the integration and the id of its person, such as `crma 4242`. Throws
   * INTERNAL_ERROR when auth does not answer.
   */
  async #uploadSource(context: AccountContext): Promise<string | null> {
    const { accountId, userId, credentialId, actor: app } = context.credential;
    if (app) return [app.id, app.person].filter(Boolean).join(' ');
    const actor =
      userId === null
        ? ({ kind: 'api_key', actor_id: credentialId } as const)
        : ({ kind: 'user', actor_id: userId } as const);
    const body = { account_id: accountId, ...actor };
    const { label } = await this.bus.call(describeActor, { body }, serviceContext(context));
    return label;
  }
}
