import { randomBytes } from 'node:crypto';
import {
  openContentHash,
  unwrapFileKey,
  wrapFileKey,
  type FileIds,
  type FileKeyHolder,
} from '@vaultsvc/crypto/container';

const KEY_BYTES = 32;
const BY_VAULT_KEY = { holder: 'vk' } as const;

/** The key of one version of an ingot. The caller that creates one wipes it. */
export class FileKey {
  readonly #bytes: Buffer;

  private constructor(
    readonly file: FileIds,
    bytes: Buffer,
  ) {
    this.#bytes = bytes;
  }

  /** A new key for a new version. */
  static draw(file: FileIds): FileKey {
    return new FileKey(file, randomBytes(KEY_BYTES));
  }

  /**
   * Unwraps a wrap that `under` made for this holder. Throws `WrongKey` or `Tampered` for a row that was moved or
   * changed.
   */
  static open(
    secret: Buffer,
    file: FileIds,
    wrapped: Buffer,
    by: Exclude<FileKeyHolder, { holder: 'istk' }> = BY_VAULT_KEY,
  ): FileKey {
    return new FileKey(file, unwrapFileKey(secret, file, by, wrapped));
  }

  /** The wrap in the version's row: 129 bytes. */
  underVaultKey(vaultKey: Buffer): Buffer {
    return this.under(vaultKey, BY_VAULT_KEY);
  }

  /** Wrapped for another holder: 129 bytes. */
  under(secret: Buffer, by: FileKeyHolder): Buffer {
    return wrapFileKey(secret, this.file, by, this.#bytes);
  }

  /**
   * The hash of the content, of this many bytes, in hexadecimal; null for a version without one. Throws `WrongKey`, `Tampered`
   * or `UnknownFormat` for a hash that was moved or changed.
   */
  openHash(sealed: Buffer | null, bytes: number): string | null {
    return sealed && openContentHash(this.#bytes, { ...this.file, bytes }, sealed).toString('hex');
  }

  wipe(): void {
    this.#bytes.fill(0);
  }
}
