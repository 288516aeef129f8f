import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CachedKey } from '@vaultsvc/crypto/data-keys';
import { Kms } from '@vaultsvc/crypto/kms';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { KeptShareKey } from './share-key.repository.js';

const CACHE_MS = 5 * 60_000;

/**
 * The share keys of vaults in clear: lent out, kept in memory for 5 minutes at most, and wiped. KMS is asked once for
 * a vault in that time, however many open its shares. One that was revoked opens nothing while it is still in memory:
 * every wrap that it made has gone with it.
 */
@Injectable()
export class ShareKeys implements OnApplicationShutdown {
  readonly #cached = new Map<string, CachedKey>();
  readonly #loading = new Map<string, Promise<void>>();

  constructor(private readonly kms: Kms) {}

  /** A new one, wrapped; whoever needs it in clear borrows it. Throws `KmsUnavailable`. */
  async draw(vault: VaultIdentity): Promise<Buffer> {
    const { plaintext, wrapped } = await this.kms.generateDataKey(contextOf(vault));
    plaintext.fill(0);
    return wrapped;
  }

  /**
   * Lends a share key for the time that `use` takes, which must not keep the buffer. Throws `KmsUnavailable`, or
   * `Tampered` for a row that was moved to another vault.
   */
  async lend<T>(vault: VaultIdentity, kept: KeptShareKey, use: (key: Buffer) => T | Promise<T>): Promise<T> {
    for (;;) {
      const cached = this.#cached.get(kept.keyId);
      if (cached?.isUsable) return cached.lend(use);
      this.#evict(kept.keyId);
      await this.#loadOnce(vault, kept);
    }
  }

  onApplicationShutdown(): void {
    for (const keyId of this.#cached.keys()) this.#evict(keyId);
    this.kms.close();
  }

  #loadOnce(vault: VaultIdentity, kept: KeptShareKey): Promise<void> {
    const running = this.#loading.get(kept.keyId);
    if (running) return running;
    const started = this.#load(vault, kept).finally(() => this.#loading.delete(kept.keyId));
    this.#loading.set(kept.keyId, started);
    return started;
  }

  /** The timer wipes a key that nobody asks for any more. */
  async #load(vault: VaultIdentity, { keyId, wrapped }: KeptShareKey): Promise<void> {
    const key = await this.kms.decrypt(wrapped, contextOf(vault));
    const cached = new CachedKey(key, performance.now() + CACHE_MS);
    this.#cached.set(keyId, cached);
    setTimeout(() => this.#cached.get(keyId) === cached && this.#evict(keyId), CACHE_MS).unref();
  }

  #evict(keyId: string): void {
    this.#cached.get(keyId)?.evict();
    this.#cached.delete(keyId);
  }
}

/** What KMS ties a share key to; it stands in KMS's own log in clear. */
function contextOf({ accountId, vaultId }: VaultIdentity) {
  return { svc: 'vaults', purpose: 'vault-share', account_id: accountId, vault_id: vaultId };
}
