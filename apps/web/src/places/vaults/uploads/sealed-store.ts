import type { ResumableUpload, ResumeStore } from '@vaultsvc/client';
import type { SealedUploads } from '../open/sealed-uploads.js';
import type { UploadItem } from './upload-item.js';

/** Keeps where one upload is: in memory for another attempt and for cancelling, and sealed in the browser for after a reload. */
export class SealedStore implements ResumeStore {
  current: ResumableUpload | undefined;
  #key: string | undefined;

  constructor(
    private readonly item: UploadItem,
    private readonly sealed: SealedUploads,
    private readonly sentSoFar: () => number,
  ) {}

  async load(key: string): Promise<ResumableUpload | undefined> {
    this.#key = key;
    this.current ??= (await this.sealed.load(key))?.upload;
    return this.current;
  }

  async save(key: string, upload: ResumableUpload): Promise<void> {
    this.current = upload;
    const { name, file, folderId, folderPath } = this.item;
    const { size, lastModified: modifiedAt } = file;
    const sent = this.sentSoFar();
    await this.sealed.save({ key, name, size, modifiedAt, folderId, folderPath, sent, upload });
  }

  async remove(key: string): Promise<void> {
    this.current = undefined;
    await this.sealed.remove(key);
  }

  /** After the upload was cancelled. */
  async forget(): Promise<void> {
    if (this.#key !== undefined) await this.remove(this.#key);
  }
}
