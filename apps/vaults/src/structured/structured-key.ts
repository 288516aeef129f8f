import { randomBytes } from 'node:crypto';
import { open, openContent, seal, sealContent } from '@vaultsvc/crypto/aead';
import { lengthPrefixed } from '@vaultsvc/crypto/encoding';
import { deriveKey } from '@vaultsvc/crypto/kdf';
import { mac } from '@vaultsvc/crypto/mac';
import { unwrapKey, wrapKey } from '@vaultsvc/crypto/wrap';
import type { VaultIdentity } from '../keys/vault-key.js';

const KEY_BYTES = 32;
const NO_SALT = Buffer.alloc(0);

export interface StructuredIdentity extends VaultIdentity {
  readonly ingotId: string;
}

/** The associated data of a value besides its ingot: a row that was moved or changed in one of these does not open. */
export interface ValueTerms {
  /** Blind index of the key's name. */
  readonly blind: Buffer;
  /** Version of the ingot that wrote the value. */
  readonly version: number;
  readonly contentType: string;
}

/**
 * The key of a structured ingot in memory (ADR 14): seals names and values, and computes blind indexes. Overwriting the
 * ingot replaces its key, so destroying the old wrapped key destroys the old content. The caller wipes it when done.
 */
export class StructuredKey {
  readonly #ids: readonly string[];
  readonly #key: Buffer;
  readonly #nameKey: Buffer;
  readonly #indexKey: Buffer;

  private constructor(ingot: StructuredIdentity, key: Buffer) {
    this.#ids = idsOf(ingot);
    this.#key = key;
    this.#nameKey = deriveKey(key, NO_SALT, 'vk/v1/struct-name', this.#ids, KEY_BYTES);
    this.#indexKey = deriveKey(key, NO_SALT, 'vk/v1/struct-index', this.#ids, KEY_BYTES);
  }

  /** A new random key. */
  static generate(ingot: StructuredIdentity): StructuredKey {
    return new StructuredKey(ingot, randomBytes(KEY_BYTES));
  }

  /** Unwraps the result of `wrap`. Throws `WrongKey` or `Tampered` for a row that was moved or changed. */
  static open(vaultKey: Buffer, ingot: StructuredIdentity, wrapped: Buffer): StructuredKey {
    return new StructuredKey(ingot, unwrapKey(vaultKey, 'vk/v1/struct-key', idsOf(ingot), [], wrapped));
  }

  /** For the row of the ingot: 129 bytes. */
  wrap(vaultKey: Buffer): Buffer {
    return wrapKey(vaultKey, 'vk/v1/struct-key', this.#ids, [], this.#key);
  }

  /** Blind index of a key's name: 32 bytes. Names are equal when their UTF-8 is (ADR 14). */
  blind(name: string): Buffer {
    return mac(this.#indexKey, 'vk/v1/struct-index', name);
  }

  /** One derived key for all names, each with its own nonce: a listing opens 10,000 of them at once. */
  sealName(name: string, blind: Buffer): Buffer {
    return seal(this.#nameKey, this.#nameContext(blind), Buffer.from(name));
  }

  /** Throws `Tampered`, or `UnknownFormat`. */
  openName(sealed: Buffer, blind: Buffer): string {
    return open(this.#nameKey, this.#nameContext(blind), sealed).toString();
  }

  sealValue(content: Buffer, terms: ValueTerms): Buffer {
    return sealContent(this.#key, 'vk/v1/struct-value', this.#valueFields(terms), content);
  }

  /** The caller wipes the result. Throws `WrongKey`, `Tampered` or `UnknownFormat`. */
  openValue(sealed: Buffer, terms: ValueTerms): Buffer {
    return openContent(this.#key, 'vk/v1/struct-value', this.#valueFields(terms), sealed);
  }

  wipe(): void {
    for (const key of [this.#key, this.#nameKey, this.#indexKey]) key.fill(0);
  }

  #nameContext(blind: Buffer): Buffer {
    return lengthPrefixed('vk/v1/struct-name', ...this.#ids, blind);
  }

  #valueFields({ blind, version, contentType }: ValueTerms): readonly string[] {
    return [...this.#ids, blind.toString('hex'), String(version), contentType];
  }
}

function idsOf({ accountId, vaultId, ingotId }: StructuredIdentity): readonly string[] {
  return [accountId, vaultId, ingotId];
}
