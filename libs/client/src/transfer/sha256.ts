import { builtinModule } from './builtin-module.js';

/** A SHA-256 of bytes that arrive in parts. */
export interface Sha256 {
  update(bytes: Uint8Array): void;
  digest(): Promise<Uint8Array>;
}

/** The hash of the platform. That of browsers takes all bytes at once, so that they are kept until then. */
export function sha256(): Sha256 {
  // Loaded for the first hash: programs that hash nothing start without it.
  const native = builtinModule<typeof import('node:crypto')>('node:crypto');
  if (!native) return new KeptBytes();
  const hash = native.createHash('sha256');
  return { update: (bytes) => void hash.update(bytes), digest: async () => hash.digest() };
}

/** The SHA-256 of bytes. */
export async function sha256Of(...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const hash = sha256();
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Lowercase hexadecimal digits, as the API shows hashes. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes are copied, because the caller may reuse its buffer. */
class KeptBytes implements Sha256 {
  #bytes = new Uint8Array(65_536);
  #length = 0;

  update(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }

  async digest(): Promise<Uint8Array> {
    return new Uint8Array(await crypto.subtle.digest('SHA-256', this.#bytes.subarray(0, this.#length)));
  }
}
