import type { Schema } from '../client-types.js';
import { MemoryResumeStore, type ResumeStore } from './resume-store.js';
import { TransferError } from './transfer-error.js';
import { transferByTus, type TusTransfer } from './tus-transfer.js';
import { sourceOf, type Uploadable, type UploadSource } from './upload-source.js';
import type { VaultAccess } from './vault-access.js';

/** How far a transfer is. */
export interface TransferProgress {
  readonly bytes: number;
  readonly total: number;
}

/** The settings of `upload`. */
export interface UploadOptions {
  /** The name in the vault; that of the File by default. A file with this name gets new content. */
  readonly name?: string;
  readonly contentType?: string;
  /** Folder names from the root, separated by `/`; missing folders are created. */
  readonly folderPath?: string;
  readonly folderId?: string;
  readonly onProgress?: (progress: TransferProgress) => void;
  /** Continues an upload that an earlier run began. */
  readonly resume?: ResumeStore;
  readonly signal?: AbortSignal;
}

/** A stored file. */
export interface UploadedFile {
  readonly ingotId: string;
  readonly name: string;
  readonly size: number;
}

/** New uploads per call: one whose URL is used, expired or superseded is replaced by another. */
const UPLOADS_MAX = 3;
/** Forge's answers for an upload URL that is used or expired, and for an upload that no longer exists. */
const GONE = new Set([401, 404, 410]);

/**
 * Uploads a file in chunks of 50 MiB. Broken connections are retried from the last complete chunk; with a `resume` store, a
 * later call for the same vault, name and content continues too, in another process or after a reload of the page.
 * @throws ApiError, ConnectionError or TransferError
 */
export async function upload(
  vault: VaultAccess,
  content: Uploadable,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  const source = sourceOf(content);
  const name = options.name ?? source.name;
  if (name === undefined) throw new TypeError('The file needs a name.');
  const run = new UploadRun(vault, source, name, options);
  for (let uploads = 1; ; uploads++) {
    try {
      const ingotId = await run.transfer();
      return { ingotId, name, size: source.size };
    } catch (error) {
      const isGone = error instanceof TransferError && GONE.has(error.status ?? 0);
      if (!isGone || uploads === UPLOADS_MAX) throw error;
      await run.forget();
    }
  }
}

class UploadRun {
  readonly #store: ResumeStore;
  readonly #key: string;

  constructor(
    private readonly vault: VaultAccess,
    private readonly source: UploadSource,
    private readonly name: string,
    private readonly options: UploadOptions,
  ) {
    this.#store = options.resume ?? new MemoryResumeStore();
    const folder = options.folderId ?? options.folderPath ?? '';
    this.#key = JSON.stringify([vault.vaultId, folder, name, source.fingerprint]);
  }

  /** Continues the stored upload, or begins one. Resolves with the id of the ingot. */
  async transfer(): Promise<string> {
    const kept = await this.#store.load(this.#key);
    const { ingotId, target } = kept?.uploadUrl
      ? { ingotId: kept.ingotId, target: { uploadUrl: kept.uploadUrl } }
      : await this.#begin();
    let saving: Promise<void> = Promise.resolve();
    await transferByTus({
      source: this.source,
      target,
      onCreated: (uploadUrl) => void (saving = this.#store.save(this.#key, { ingotId, uploadUrl })),
      onProgress: (bytes, total) => this.options.onProgress?.({ bytes, total }),
      signal: this.options.signal,
    });
    await saving;
    await this.forget();
    return ingotId;
  }

  forget(): Promise<void> {
    return this.#store.remove(this.#key);
  }

  /** Another call for the same name supersedes an upload whose URL was lost, so it may be repeated. */
  async #begin(): Promise<{ ingotId: string; target: TusTransfer['target'] }> {
    const { contentType, folderId, folderPath, signal } = this.options;
    const body: Schema<'NewIngot'> = {
      name: this.name,
      size_bytes: this.source.size,
      content_type: contentType ?? this.source.type,
      folder_id: folderId,
      folder_path: folderPath,
    };
    const { data } = await this.vault.client.POST('/v1/vaults/{vault_id}/ingots', {
      params: { path: { vault_id: this.vault.vaultId } },
      body,
      // A key would be spent by a call whose response, and with it the URL, was lost.
      idempotencyKey: false,
      isRepeatable: true,
      signal,
    });
    return { ingotId: data.ingot_id, target: { endpoint: data.forge_url } };
  }
}
