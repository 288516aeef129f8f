import { Tampered } from '../errors.js';
import { KmsKey } from './kms-key.js';
import type { EncryptionContext, GeneratedDataKey, GeneratedRandom } from './provider/provider.js';
import type { KmsSettings } from './provider/settings.js';

const TIMEOUT_MS = 2_000;
/** Largest reply of `generateRandom` in bytes. */
export const RANDOM_BYTES_MAX = 1_024;
const PLAINTEXT_BYTES_MAX = 4_096;

/**
 * Key management, the root of all keys: AWS KMS, the transit engine of Vault or OpenBao, or a sealed file (ADR 52).
 *
 * Every method throws `KmsUnavailable` if the provider does not answer in three attempts or denies the request. Only entropy
 * may call it per request: quotas apply to all services together.
 */
export class Kms {
  readonly #key: KmsKey;
  readonly #keys: readonly KmsKey[];

  constructor({ key, second, timeoutMs = TIMEOUT_MS }: KmsSettings) {
    this.#key = new KmsKey(key, timeoutMs);
    this.#keys = second ? [this.#key, new KmsKey(second, timeoutMs)] : [this.#key];
  }

  /**
   * 1 to 1,024 bytes from the hardware generator of the provider, and the request id by which its log identifies the reply. A
   * reply without one is refused, and so is every call of a provider without hardware (OPEN-45). The caller wipes the bytes.
   * @throws RangeError for another number of bytes
   */
  async generateRandom(bytes: number): Promise<GeneratedRandom> {
    assertLength(bytes, RANDOM_BYTES_MAX);
    return this.#key.call((provider, signal) => provider.generateRandom(bytes, signal));
  }

  /** A new 256-bit key, in plaintext and wrapped. The caller wipes the plaintext. */
  generateDataKey(context: EncryptionContext): Promise<GeneratedDataKey> {
    return this.#key.call((provider, signal) => provider.generateDataKey(context, signal));
  }

  /**
   * Encrypts 1 to 4,096 bytes under the key of the provider itself.
   * @throws RangeError for another number of bytes
   */
  async encrypt(plaintext: Buffer, context: EncryptionContext): Promise<Buffer> {
    assertLength(plaintext.length, PLAINTEXT_BYTES_MAX);
    return this.#key.call((provider, signal) => provider.encrypt(plaintext, context, signal));
  }

  /**
   * Decrypts a wrapped data key or the output of `encrypt`, of either key. The caller wipes the plaintext.
   * @throws Tampered for another context, another key or changed bytes
   */
  async decrypt(wrapped: Buffer, context: EncryptionContext): Promise<Buffer> {
    if (wrapped.length === 0) throw new Tampered(); // AWS calls it an invalid request
    for (const key of this.#keys) {
      const plaintext = key.recognizes(wrapped) && (await decryptWith(key, wrapped, context));
      if (plaintext) return plaintext;
    }
    throw new Tampered();
  }

  /**
   * Wraps a wrapped key again with the newest version of the key of this service. Undefined for one that is wrapped so already.
   * @throws Tampered if no key opens it
   */
  async rewrap(wrapped: Buffer, context: EncryptionContext): Promise<Buffer | undefined> {
    if (await this.#isNewest(wrapped, context)) return undefined;
    const plaintext = await this.decrypt(wrapped, context);
    try {
      const rewrapped = await this.encrypt(plaintext, context);
      await this.#assertOpens(rewrapped, context, plaintext);
      return rewrapped;
    } finally {
      plaintext.fill(0);
    }
  }

  /** Whether a wrapped key needs neither the second key nor an older version. Throws as `rewrap`. */
  async isCurrent(wrapped: Buffer, context: EncryptionContext): Promise<boolean> {
    if (await this.#isNewest(wrapped, context)) return true;
    (await this.decrypt(wrapped, context)).fill(0);
    return false;
  }

  /** Closes the connections. */
  close(): void {
    for (const key of this.#keys) key.close();
  }

  /** Two keys of one provider have the same form, so the key itself is asked. */
  async #isNewest(wrapped: Buffer, context: EncryptionContext): Promise<boolean> {
    const recognizing = this.#keys.filter((key) => key.recognizes(wrapped));
    if (recognizing[0] !== this.#key) return false;
    if (recognizing.length > 1) {
      const plaintext = await decryptWith(this.#key, wrapped, context);
      plaintext?.fill(0);
      if (!plaintext) return false;
    }
    return this.#key.call((provider, signal) => provider.isNewest(wrapped, signal));
  }

  /** The old form is deleted next, so the new one has to open. */
  async #assertOpens(wrapped: Buffer, context: EncryptionContext, expected: Buffer): Promise<void> {
    const opened = await this.#key.call((provider, signal) => provider.decrypt(wrapped, context, signal));
    const isEqual = opened.equals(expected);
    opened.fill(0);
    if (!isEqual) throw new Tampered();
  }
}

/** Undefined if the key refuses it. */
async function decryptWith(
  key: KmsKey,
  wrapped: Buffer,
  context: EncryptionContext,
): Promise<Buffer | undefined> {
  try {
    return await key.call((provider, signal) => provider.decrypt(wrapped, context, signal));
  } catch (error) {
    if (error instanceof Tampered) return undefined;
    throw error;
  }
}

function assertLength(bytes: number, max: number): void {
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > max)
    throw new RangeError(`KMS accepts 1 to ${max} bytes`);
}
