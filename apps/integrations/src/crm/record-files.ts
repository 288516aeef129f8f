import { Injectable } from '@nestjs/common';
import { AppError, validationError, type VaultContext } from '@vaultsvc/contracts';
import type {
  DeletedRecordFile,
  RecordAccess,
  RecordDownload,
  RecordFiles as FileList,
  RecordPlace,
  UploadContext,
  UploadContextRequest,
} from '@vaultsvc/contracts/integrations';
import { readPoolAvailability } from '@vaultsvc/contracts/reporting';
import {
  deleteIngot,
  downloadIngot,
  listFolderFiles,
  locateFile,
  openVaultSession,
  unsealVault,
} from '@vaultsvc/contracts/vaults';
import { Bus } from '@vaultsvc/messaging';
import { contextOf } from '../installations/installation-context.js';
import type { CrmCaller, RecordKey } from './crm-caller.js';
import { RecordFolders } from './record-folders.js';
import { RecordTokens } from './record-tokens.js';

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

/** The files of records, for both CRMs. Vaults checks tokens and keys; what is of which record is checked here (CRA-08). */
@Injectable()
export class RecordFiles {
  constructor(
    private readonly folders: RecordFolders,
    private readonly tokens: RecordTokens,
    private readonly bus: Bus,
  ) {}

  async place(caller: CrmCaller, record: RecordKey): Promise<RecordPlace> {
    return { vault_id: caller.installation.vaultId, folder_id: await this.folders.open(caller, record) };
  }

  async list(caller: CrmCaller, record: RecordKey): Promise<FileList> {
    const body = await this.place(caller, record);
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
    await this.tokens.give(vat, caller, expires_at);
    return { vat, expires_at };
  }

  async download(caller: CrmCaller, file: RecordFile): Promise<RecordDownload> {
    const context = await this.withPools(await this.open(caller, file.vat, 'read'));
    const params = await this.locate(caller, file);
    const answer = await this.bus.call(downloadIngot, { params, body: { stream: false } }, context);
    return { download_url: answer.download_url, expires_at: answer.expires_at };
  }

  async delete(caller: CrmCaller, file: RecordFile): Promise<DeletedRecordFile> {
    const context = await this.open(caller, file.vat, 'write');
    const params = await this.locate(caller, file);
    await this.bus.call(deleteIngot, { params }, context);
    return { deleted: true, ingot_id: params.ingot_id };
  }

  async prepareUpload(caller: CrmCaller, request: UploadContextRequest): Promise<UploadContext> {
    const vat = request.vat ?? (await this.unseal(caller, request)).vat;
    await this.open(caller, vat, 'write');
    return { ...(await this.place(caller, request)), vat };
  }

  /** The token must have been given to this person, and be valid for the vault. */
  async open(caller: CrmCaller, vat: string, level: 'read' | 'write'): Promise<VaultContext> {
    await this.tokens.assertOf(vat, caller);
    const context = accountContext(caller);
    const body = { vault_id: caller.installation.vaultId, vat, level };
    const { access_level } = await this.bus
      .call(openVaultSession, { body }, context)
      .catch((error: unknown) => {
        throw isUnauthorized(error)
          ? new AppError('VERIFIED_REQUEST_REFUSED', undefined, { cause: error })
          : error;
      });
    return { ...context, vault: { token: vat, accessLevel: access_level } };
  }

  /** Throws INGOT_NOT_FOUND for a file of another record, as for an unknown one. */
  async locate(
    caller: CrmCaller,
    file: Omit<RecordFile, 'vat'>,
  ): Promise<{ vault_id: string; ingot_id: string }> {
    const { vault_id, folder_id } = await this.place(caller, file);
    const body = { vault_id, reference: file.ingot_id };
    const found = await this.bus.call(locateFile, { body }, accountContext(caller));
    if (found.folder_id !== folder_id) throw new AppError('INGOT_NOT_FOUND');
    return { vault_id, ingot_id: found.ingot_id };
  }

  /** The context of a call that draws pools of the account, which vaults refuses where they are exhausted (APP-25). */
  async withPools(context: VaultContext): Promise<VaultContext> {
    const { accountId: account_id } = context.credential;
    const pools = await this.bus.call(readPoolAvailability, { body: { account_id } }, context);
    const exhausted = [
      ...(pools.is_storage_exhausted ? (['storage'] as const) : []),
      ...(pools.is_bandwidth_exhausted ? (['bandwidth'] as const) : []),
    ];
    return { ...context, pools: { plan: pools.plan, exhausted } };
  }
}

function accountContext({ installation, requestId, deadlineMs }: CrmCaller) {
  return contextOf(installation, requestId, deadlineMs);
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'AUTHENTICATION_ERROR';
}
