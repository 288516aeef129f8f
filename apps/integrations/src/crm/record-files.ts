import { Injectable } from '@nestjs/common';
import { AppError, validationError, type VaultContext } from '@vaultsvc/contracts';
import type {
  CrmRecord,
  DeletedRecordFile,
  RecordAccess,
  RecordDownload,
  RecordFileRequest,
  RecordFiles as FileList,
  RecordUnsealing,
  ResolvedRecord,
  UploadContext,
  UploadContextRequest,
} from '@vaultsvc/contracts/integrations';
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
import type { CrmCaller } from './crm-caller.js';
import { RecordFolders } from './record-folders.js';
import { RecordTokens } from './record-tokens.js';

/** The files of records, for both CRMs. Vaults checks tokens and keys; what is of which record is checked here (CRA-08). */
@Injectable()
export class RecordFiles {
  constructor(
    private readonly folders: RecordFolders,
    private readonly tokens: RecordTokens,
    private readonly bus: Bus,
  ) {}

  async resolve(caller: CrmCaller, record: CrmRecord): Promise<ResolvedRecord> {
    return { vault_id: caller.installation.vaultId, folder_id: await this.folders.open(caller, record) };
  }

  async list(caller: CrmCaller, record: CrmRecord): Promise<FileList> {
    const body = await this.resolve(caller, record);
    const { files } = await this.bus.call(listFolderFiles, { body }, accountContext(caller));
    return { files, count: files.length };
  }

  async unseal(caller: CrmCaller, { vmk, dvak_token, ttl_seconds }: RecordUnsealing): Promise<RecordAccess> {
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

  async download(caller: CrmCaller, request: RecordFileRequest): Promise<RecordDownload> {
    const context = await this.#open(caller, request.vat, 'read');
    const params = await this.#fileOf(caller, request);
    const answer = await this.bus.call(downloadIngot, { params, body: { stream: false } }, context);
    return { download_url: answer.download_url, expires_at: answer.expires_at };
  }

  async delete(caller: CrmCaller, request: RecordFileRequest): Promise<DeletedRecordFile> {
    const context = await this.#open(caller, request.vat, 'write');
    const params = await this.#fileOf(caller, request);
    await this.bus.call(deleteIngot, { params }, context);
    return { deleted: true, ingot_id: params.ingot_id };
  }

  async prepareUpload(caller: CrmCaller, request: UploadContextRequest): Promise<UploadContext> {
    const vat = request.vat ?? (await this.unseal(caller, request)).vat;
    await this.#open(caller, vat, 'write');
    return { ...(await this.resolve(caller, request)), vat };
  }

  /** The token must have been given to this person, and be valid for the vault. */
  async #open(caller: CrmCaller, vat: string, level: 'read' | 'write'): Promise<VaultContext> {
    await this.tokens.assertOf(vat, caller);
    const context = accountContext(caller);
    const body = { vault_id: caller.installation.vaultId, vat, level };
    const { access_level } = await this.bus.call(openVaultSession, { body }, context);
    return { ...context, vault: { token: vat, accessLevel: access_level } };
  }

  /** Throws INGOT_NOT_FOUND for a file of another record, as for an unknown one. */
  async #fileOf(
    caller: CrmCaller,
    request: RecordFileRequest,
  ): Promise<{ vault_id: string; ingot_id: string }> {
    const { vault_id, folder_id } = await this.resolve(caller, request);
    const body = { vault_id, reference: request.ingot_id };
    const file = await this.bus.call(locateFile, { body }, accountContext(caller));
    if (file.folder_id !== folder_id) throw new AppError('INGOT_NOT_FOUND');
    return { vault_id, ingot_id: file.ingot_id };
  }
}

function accountContext({ installation, requestId, deadlineMs }: CrmCaller) {
  return contextOf(installation, requestId, deadlineMs);
}
