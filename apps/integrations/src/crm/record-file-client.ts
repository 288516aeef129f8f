import { Injectable } from '@nestjs/common';
import { AppError, validationError, type AccountContext, type VaultContext } from '@vaultsvc/contracts';
import type {
  DeletedRecordFile,
  RecordAccess,
  RecordDownload,
  RecordFiles,
  RecordPlace,
  UploadContext,
  UploadContextRequest,
} from '@vaultsvc/contracts/integrations';
import { readPoolAvailability } from '@vaultsvc/contracts/reporting';
import {
  deleteRecordFile,
  downloadRecordFile,
  listFolderFiles,
  locateRecordFile,
  openVaultSession,
  unsealVault,
  type RecordFileAccess,
} from '@vaultsvc/contracts/vaults';
import { Bus } from '@vaultsvc/messaging';
import { appActorOf } from '../installations/app-actor.js';
import { contextOf } from '../installations/installation-context.js';
import type { CrmCaller, RecordKey } from './crm-caller.js';
import { RecordFolders } from './record-folders.js';
import { RecordPermissions } from './record-permissions.js';

/** A file of a record, and the token of the person who works with it. */
export interface RecordFile extends RecordKey {
  /** The id of the ingot, or a colon and its name. */
  readonly ingot_id: string;
  readonly vat: string;
}

/** Exactly one key of the vault. */
interface VaultKey {
  readonly vmk?: string | undefined;
  readonly dvak_token?: string | undefined;
  readonly ttl_seconds: number;
}

/** The files of records, for both CRMs (CRA-08). `RecordPermissions` says what is checked, and where. */
@Injectable()
export class RecordFileClient {
  constructor(
    private readonly folders: RecordFolders,
    private readonly permissions: RecordPermissions,
    private readonly bus: Bus,
  ) {}

  /** The place of a record, whose folder is created when it does not exist. */
  async place(caller: CrmCaller, record: RecordKey): Promise<RecordPlace> {
    return {
      vault_id: caller.installation.vaultId,
      folder_id: await this.folders.findOrCreate(caller, record),
    };
  }

  async list(caller: CrmCaller, record: RecordKey): Promise<RecordFiles> {
    const body = await this.#find(caller, record);
    const { files } = await this.bus.call(listFolderFiles, { body }, accountContext(caller));
    return { files, count: files.length };
  }

  async unseal(caller: CrmCaller, { vmk, dvak_token, ttl_seconds }: VaultKey): Promise<RecordAccess> {
    if ((vmk === undefined) === (dvak_token === undefined))
      throw validationError({ field: 'vmk', message: 'exactly one of vmk and dvak_token must be given' });
    const params = { vault_id: caller.installation.vaultId };
    const body = {
      ttl_seconds,
      ...(vmk !== undefined && { vmk }),
      ...(dvak_token !== undefined && { dvak_token }),
    };
    const { vat, expires_at } = await this.bus.call(unsealVault, { params, body }, accountContext(caller));
    await this.permissions.give(vat, caller, expires_at);
    return { vat, expires_at };
  }

  /** One call for the pools and one for everything else. */
  async download(caller: CrmCaller, file: RecordFile): Promise<RecordDownload> {
    const body = await this.#access(caller, file);
    const context = await this.withPools(accountContext(caller));
    return refuseVerified(this.bus.call(downloadRecordFile, { body }, context));
  }

  async delete(caller: CrmCaller, file: RecordFile): Promise<DeletedRecordFile> {
    const body = await this.#access(caller, file);
    const { ingot_id } = await refuseVerified(
      this.bus.call(deleteRecordFile, { body }, accountContext(caller)),
    );
    return { deleted: true, ingot_id };
  }

  async prepareUpload(caller: CrmCaller, request: UploadContextRequest): Promise<UploadContext> {
    const vat = request.vat ?? (await this.unseal(caller, request)).vat;
    await this.openSession(caller, vat, 'write');
    return { ...(await this.place(caller, request)), vat };
  }

  /** The token must have been given to this person, and be valid for the vault. */
  async openSession(caller: CrmCaller, vat: string, level: 'read' | 'write'): Promise<VaultContext> {
    await this.permissions.assertOf(vat, caller);
    const context = accountContext(caller);
    const body = { vault_id: caller.installation.vaultId, vat, level };
    const { access_level } = await refuseVerified(this.bus.call(openVaultSession, { body }, context));
    return { ...context, vault: { token: vat, accessLevel: access_level } };
  }

  /**
   * A file of the record, and the context of an operation of vaults that uses it with the person's token. Throws as `openSession` does,
   * and INGOT_NOT_FOUND for a file of another record, as for an unknown one.
   */
  async locate(
    caller: CrmCaller,
    file: RecordFile,
    level: 'read' | 'write',
  ): Promise<{ params: { vault_id: string; ingot_id: string }; context: VaultContext }> {
    const access = await this.#access(caller, file);
    const context = accountContext(caller);
    const { ingot_id, access_level } = await refuseVerified(
      this.bus.call(locateRecordFile, { body: { ...access, level } }, context),
    );
    const params = { vault_id: access.vault_id, ingot_id };
    return { params, context: { ...context, vault: { token: file.vat, accessLevel: access_level } } };
  }

  /** What vaults needs to use a file of the record. Throws VERIFIED_REQUEST_REFUSED for a token that is not of the person. */
  async #access(caller: CrmCaller, { vat, ingot_id, ...record }: RecordFile): Promise<RecordFileAccess> {
    await this.permissions.assertOf(vat, caller);
    return { ...(await this.#find(caller, record)), vat, reference: ingot_id };
  }

  async #find(caller: CrmCaller, record: RecordKey) {
    return {
      vault_id: caller.installation.vaultId,
      folder_id: await this.permissions.folderOf(caller, record),
    };
  }

  /** The context of a call that draws pools of the account, which vaults refuses where they are exhausted (APP-25). */
  async withPools<Context extends AccountContext>(context: Context): Promise<Context> {
    const { accountId: account_id } = context.credential;
    const pools = await this.bus.call(readPoolAvailability, { body: { account_id } }, context);
    const exhausted = [
      ...(pools.is_storage_exhausted ? (['storage'] as const) : []),
      ...(pools.is_bandwidth_exhausted ? (['bandwidth'] as const) : []),
    ];
    return { ...context, pools: { plan: pools.plan, exhausted } };
  }
}

function accountContext({ installation, userId, requestId, deadlineMs }: CrmCaller) {
  return contextOf(installation, requestId, deadlineMs, appActorOf(installation, userId));
}

/** A token that vaults refuses is no failure of the CRM, whose request is verified: it must not count on its address. */
async function refuseVerified<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw isUnauthorized(error)
      ? new AppError('VERIFIED_REQUEST_REFUSED', undefined, { cause: error })
      : error;
  });
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'AUTHENTICATION_ERROR';
}
