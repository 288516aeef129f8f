import type { Schema } from '../client-types.js';
import { sendDirectly } from '../redirect-error.js';
import { ChunkedSource } from './chunked-source.js';
import { NO_CHUNKS } from './content-hash.js';
import { MemoryResumeStore, type ResumableUpload, type ResumeStore } from './resume-store.js';
import { SourceError } from './source-error.js';
import { activeVersion, isStored } from './stored-content.js';
import { TransferError } from './transfer-error.js';
import { transferByTus, UnknownChunks, type TusTransfer } from './tus-transfer.js';
import type { UploadedFile, UploadOptions } from './upload-options.js';
import type { UploadSource } from './upload-source.js';
import type { VaultAccess } from './vault-access.js';

/** New uploads per call: one whose URL is used, expired or superseded is replaced by another. */
const UPLOADS_MAX = 3;
/** Forge's answers for an upload URL that is used or expired, and for an upload that no longer exists. */
const GONE = new Set([401, 404, 410]);

/** One call of `upload`. */
export class UploadRun {
  readonly #store: ResumeStore;
  readonly #key: string;
  /** What a later run continues. */
  #upload: ResumableUpload | undefined;
  #keeping: Promise<void> = Promise.resolve();

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

  /** @throws if another process runs the same upload */
  async lock(): Promise<(() => Promise<void>) | undefined> {
    return this.#store.lock?.(this.#key);
  }

  async run(): Promise<UploadedFile> {
    for (let uploads = 1; ; uploads++) {
      try {
        return await this.#attempt();
      } catch (error) {
        await this.#keeping;
        if (error instanceof SourceError && error.isChanged) await this.#cancel();
        if (!isGone(error) || uploads === UPLOADS_MAX) throw error;
        await this.#store.remove(this.#key);
      }
    }
  }

  async #attempt(): Promise<UploadedFile> {
    const { name, source, options } = this;
    const { chunks, target } = await this.#begin();
    await transferByTus({
      chunks,
      size: source.size,
      target,
      onCreated: (uploadUrl) => void this.#keep({ uploadUrl }),
      onProgress: (bytes, total) => options.onProgress?.({ bytes, total }),
      signal: options.signal,
    });
    await this.#keeping;
    await this.#store.remove(this.#key);
    const { ingotId = '', former } = this.#upload ?? {};
    const contentHash = await chunks.contentHash();
    const verified = await isStored(this.vault, { ingotId, contentHash, former }, options.signal);
    return { ingotId, name, size: source.size, contentHash, verified };
  }

  /** Continues the kept upload if the source begins with what was sent, and begins one otherwise. */
  async #begin(): Promise<Pick<TusTransfer, 'chunks' | 'target'>> {
    this.#upload = await this.#store.load(this.#key);
    const { uploadUrl, size, sent = NO_CHUNKS } = this.#upload ?? {};
    const kept = this.#chunks();
    const isOfSize = size === this.source.size;
    if (uploadUrl !== undefined && isOfSize && (await kept.beginsWith(sent)))
      return { chunks: kept, target: { uploadUrl } };
    await this.#cancel();
    const { ingot_id: ingotId, forge_url: endpoint } = await this.#create();
    const former = (await activeVersion(this.vault, ingotId, this.options.signal))?.version_id;
    this.#upload = { ingotId, former, size: this.source.size };
    return { chunks: this.#chunks(), target: { endpoint } };
  }

  #chunks(): ChunkedSource {
    const { onCompared, signal } = this.options;
    return new ChunkedSource(this.source, {
      onSent: (sent) => this.#keep({ sent }),
      onCompared: (bytes) => onCompared?.({ bytes, total: this.source.size }),
      signal,
    });
  }

  /** An upload that cannot be kept, because the disk is full, goes on; it cannot be resumed. */
  async #keep(change: Partial<ResumableUpload>): Promise<void> {
    if (!this.#upload) return;
    const upload = (this.#upload = { ...this.#upload, ...change });
    this.#keeping = this.#keeping.then(() => this.#store.save(this.#key, upload)).catch(() => undefined);
    return this.#keeping;
  }

  /** Ends an upload whose source is no longer what was sent. What Forge has of it would be removed later, too. */
  async #cancel(): Promise<void> {
    const uploadUrl = this.#upload?.uploadUrl;
    this.#upload = undefined;
    await this.#store.remove(this.#key);
    if (uploadUrl === undefined) return;
    const request = new Request(uploadUrl, { method: 'DELETE', headers: { 'Tus-Resumable': '1.0.0' } });
    const response = await sendDirectly((sent) => fetch(sent), request).catch(() => undefined);
    await response?.body?.cancel();
  }

  /** Another call for the same name supersedes an upload whose URL was lost, so it may be repeated. */
  async #create(): Promise<Schema<'IngotUpload'>> {
    const { contentType, folderId, folderPath, signal } = this.options;
    const body: Schema<'NewIngot'> = {
      name: this.name,
      size_bytes: this.source.size,
      content_type: contentType ?? this.source.type,
      folder_id: folderId,
      folder_path: folderPath,
      modified_at: this.source.modifiedAt,
    };
    const { data } = await this.vault.client.POST('/v1/vaults/{vault_id}/ingots', {
      params: { path: { vault_id: this.vault.vaultId } },
      body,
      // A key would be spent by a call whose response, and with it the URL, was lost.
      idempotencyKey: false,
      isRepeatable: true,
      signal,
    });
    return data;
  }
}

function isGone(error: unknown): boolean {
  if (error instanceof UnknownChunks) return true;
  return error instanceof TransferError && GONE.has(error.status ?? 0);
}
