import type { ChunkMark } from './content-hash.js';

/** An upload that has begun. The URLs are secrets until it is complete. */
export interface ResumableUpload {
  readonly ingotId: string;
  /** Undefined until Forge has created the upload. */
  readonly uploadUrl?: string;
  /** Bytes of the whole upload. One of another size is not resumed. */
  readonly size?: number;
  /** The version that was active when it began; null if there was none. */
  readonly former?: string | null;
  /** The chunks that were sent, with which the source is compared. */
  readonly sent?: ChunkMark;
}

/** Where interrupted uploads are kept, so that a later run continues them. */
export interface ResumeStore {
  load(key: string): Promise<ResumableUpload | undefined>;
  save(key: string, upload: ResumableUpload): Promise<void>;
  remove(key: string): Promise<void>;
  /**
   * Lets one upload of the key run at a time; resolves with what ends this.
   * @throws if another one runs
   */
  lock?(key: string): Promise<() => Promise<void>>;
}

/** Resumes uploads within this process. */
export class MemoryResumeStore implements ResumeStore {
  readonly #uploads = new Map<string, ResumableUpload>();

  async load(key: string): Promise<ResumableUpload | undefined> {
    return this.#uploads.get(key);
  }

  async save(key: string, upload: ResumableUpload): Promise<void> {
    this.#uploads.set(key, upload);
  }

  async remove(key: string): Promise<void> {
    this.#uploads.delete(key);
  }
}

/** The part of `localStorage` and `sessionStorage` that is used. */
export interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Resumes uploads after a reload of the page: `new WebResumeStore(localStorage)`. */
export class WebResumeStore implements ResumeStore {
  constructor(private readonly storage: WebStorage) {}

  async load(key: string): Promise<ResumableUpload | undefined> {
    const text = this.storage.getItem(`vaultsvc upload ${key}`);
    return text === null ? undefined : (JSON.parse(text) as ResumableUpload);
  }

  async save(key: string, upload: ResumableUpload): Promise<void> {
    this.storage.setItem(`vaultsvc upload ${key}`, JSON.stringify(upload));
  }

  async remove(key: string): Promise<void> {
    this.storage.removeItem(`vaultsvc upload ${key}`);
  }
}
