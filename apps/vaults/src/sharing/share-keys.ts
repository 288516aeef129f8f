import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CachedKey } from '@vaultsvc/crypto/data-keys';
import { Kms } from '@vaultsvc/crypto/kms';
import { ConcurrentModification, type Queryable } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import { FileKey } from '../keys/file-key.js';
import { ShareKeyRepository, type WrappedShareKey } from '../dvak/share-key.repository.js';
import { ShareRepository, type IngotOfVault } from './share.repository.js';

const CACHE_MS = 5 * 60_000;

const BY_SHARE_KEY = { holder: 'share' } as const;

/** The key of a version under the share key of its vault, and the id of that share key. */
export interface ShareWrap {
  readonly keyId: string;
  readonly sharedKey: Buffer;
}

/**
 * Caches the share keys of vaults as plaintext for at most 5 minutes, then wipes them. In that time KMS is called once per
 * vault, however many visitors open its shares. A revoked key may stay in the cache: the keys that it wrapped are deleted.
 */
@Injectable()
export class ShareKeyCache implements OnApplicationShutdown {
  readonly #cached = new Map<string, CachedKey>();
  readonly #loading = new Map<string, Promise<void>>();

  constructor(private readonly kms: Kms) {}

  /** Returns a new share key, wrapped; its plaintext is wiped. Throws `KmsUnavailable`. */
  async generate(vault: VaultIdentity): Promise<Buffer> {
    const { plaintext, wrapped } = await this.kms.generateDataKey(shareKeyContextOf(vault));
    plaintext.fill(0);
    return wrapped;
  }

  /**
   * Runs `use` with the plaintext share key, which it must not keep. Throws `KmsUnavailable`, or `Tampered` for a row that
   * was moved to another vault.
   */
  async withKey<T>(
    vault: VaultIdentity,
    wrapped: WrappedShareKey,
    use: (key: Buffer) => T | Promise<T>,
  ): Promise<T> {
    for (;;) {
      const cached = this.#cached.get(wrapped.keyId);
      if (cached?.isUsable) return cached.use(use);
      this.#evict(wrapped.keyId);
      await this.#loadOnce(vault, wrapped);
    }
  }

  onApplicationShutdown(): void {
    for (const keyId of this.#cached.keys()) this.#evict(keyId);
    this.kms.close();
  }

  #loadOnce(vault: VaultIdentity, wrapped: WrappedShareKey): Promise<void> {
    const running = this.#loading.get(wrapped.keyId);
    if (running) return running;
    const started = this.#load(vault, wrapped).finally(() => this.#loading.delete(wrapped.keyId));
    this.#loading.set(wrapped.keyId, started);
    return started;
  }

  /** The timer also wipes a key that no call uses again. */
  async #load(vault: VaultIdentity, { keyId, wrapped }: WrappedShareKey): Promise<void> {
    const key = await this.kms.decrypt(wrapped, shareKeyContextOf(vault));
    const cached = new CachedKey(key, performance.now() + CACHE_MS);
    this.#cached.set(keyId, cached);
    setTimeout(() => this.#cached.get(keyId) === cached && this.#evict(keyId), CACHE_MS).unref();
  }

  #evict(keyId: string): void {
    this.#cached.get(keyId)?.evict();
    this.#cached.delete(keyId);
  }
}

/** The encryption context that binds a share key to its vault. KMS logs it in plaintext. */
export function shareKeyContextOf({ accountId, vaultId }: VaultIdentity) {
  return { svc: 'vaults', purpose: 'vault-share', account_id: accountId, vault_id: vaultId };
}

/**
 * Wraps file keys with share keys, when an ingot is shared and when an upload to it is prepared. Every version of a shared
 * ingot has such a wrap, so that durable links follow the content (ADR 12).
 */
@Injectable()
export class ShareKeyWrapper {
  constructor(
    private readonly shares: ShareRepository,
    private readonly keyRows: ShareKeyRepository,
    private readonly keys: ShareKeyCache,
  ) {}

  /** For a version about to be inserted; null when its ingot is not shared. Throws `KmsUnavailable`. */
  async wrap(fileKey: FileKey): Promise<ShareWrap | null> {
    const share = await this.shares.find(fileKey.file.ingotId);
    if (!share) return null;
    const key = await this.keyRows.find(fileKey.file);
    if (key?.keyId !== share.keyId) throw new ConcurrentModification();
    const wrapWith = (shareKey: Buffer) => fileKey.under(shareKey, BY_SHARE_KEY);
    return { keyId: share.keyId, sharedKey: await this.keys.withKey(fileKey.file, key, wrapWith) };
  }

  /** In the transaction that inserts the version. Throws `ConcurrentModification` when sharing changed since `wrap`. */
  async assertUnchanged(tx: Queryable, ingotId: string, wrap: ShareWrap | null): Promise<void> {
    const share = await this.shares.findLocked(tx, ingotId);
    if ((share?.keyId ?? null) !== (wrap?.keyId ?? null)) throw new ConcurrentModification();
  }

  /** Wraps the keys of the current and the pending version of a locked ingot that is being shared. */
  async wrapAll(tx: Queryable, ingot: IngotOfVault, vaultKey: Buffer, shareKey: Buffer): Promise<void> {
    for (const { versionId, wrappedKey } of await this.shares.findVersionKeys(tx, ingot.ingotId)) {
      const fileKey = FileKey.open(vaultKey, { ...ingot, versionId }, wrappedKey);
      const sharedKey = fileKey.under(shareKey, BY_SHARE_KEY);
      fileKey.wipe();
      await this.shares.storeWrap(tx, versionId, sharedKey);
    }
  }
}
