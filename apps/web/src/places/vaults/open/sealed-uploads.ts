import type { ResumableUpload } from '@vaultsvc/client';
import { STORED_PREFIX } from '../../../api/kept.js';

/** An upload that a reload has interrupted. */
export interface StoredUpload {
  /** Names the upload for the client. */
  readonly key: string;
  readonly name: string;
  readonly size: number;
  /** When the file was last modified, in milliseconds since the epoch. */
  readonly modifiedAt: number;
  readonly folderId: string | null;
  readonly folderPath: string | undefined;
  readonly sent: number;
  readonly upload: ResumableUpload;
}

const IV_BYTES = 12;

/**
 * What resuming the uploads of a vault needs, in the storage of the browser, sealed under a key that comes from the key that opened the vault. The
 * URL of an upload can write, and its name belongs to the vault; the content is never stored.
 */
export class SealedUploads {
  private constructor(
    private readonly vaultId: string,
    private readonly sealing: CryptoKey,
    private readonly naming: CryptoKey,
  ) {}

  static async of(vaultId: string, key: string): Promise<SealedUploads> {
    const bytes = new TextEncoder().encode(key);
    const base = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
    const salt = new TextEncoder().encode(vaultId);
    const derive = (info: string, type: AesKeyGenParams | HmacKeyGenParams, uses: KeyUsage[]) =>
      crypto.subtle.deriveKey(
        { name: 'HKDF', hash: 'SHA-256', salt, info: new TextEncoder().encode(info) },
        base,
        type,
        false,
        uses,
      );
    return new SealedUploads(
      vaultId,
      await derive('vaultsvc uploads: content', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']),
      await derive('vaultsvc uploads: names', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']),
    );
  }

  /** Those that were sealed under the same key; others can neither be read nor named. */
  async list(): Promise<StoredUpload[]> {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(this.#prefix));
    const stored = await Promise.all(names.map((name) => this.#read(name)));
    return stored.filter((one) => one !== undefined);
  }

  async load(key: string): Promise<StoredUpload | undefined> {
    return this.#read(await this.#nameOf(key));
  }

  /** Rejects when the storage is full. */
  async save(stored: StoredUpload): Promise<void> {
    const name = await this.#nameOf(stored.key);
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const text = new TextEncoder().encode(JSON.stringify(stored));
    const algorithm = { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(name) };
    const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, this.sealing, text));
    localStorage.setItem(name, base64Of(new Uint8Array([...iv, ...sealed])));
  }

  async remove(key: string): Promise<void> {
    localStorage.removeItem(await this.#nameOf(key));
  }

  get #prefix(): string {
    return `${STORED_PREFIX}${this.vaultId} `;
  }

  async #nameOf(key: string): Promise<string> {
    const mac = await crypto.subtle.sign('HMAC', this.naming, new TextEncoder().encode(key));
    return this.#prefix + base64Of(new Uint8Array(mac));
  }

  async #read(name: string): Promise<StoredUpload | undefined> {
    const text = localStorage.getItem(name);
    if (text === null) return undefined;
    try {
      const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
      const additionalData = new TextEncoder().encode(name);
      const algorithm = { name: 'AES-GCM', iv: bytes.slice(0, IV_BYTES), additionalData };
      const opened = await crypto.subtle.decrypt(algorithm, this.sealing, bytes.slice(IV_BYTES));
      return JSON.parse(new TextDecoder().decode(opened)) as StoredUpload;
    } catch {
      // Sealed under another key of the vault.
      return undefined;
    }
  }
}

const base64Of = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
