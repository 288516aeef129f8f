import type { EncryptionContext, Kms } from '../kms/index.js';
import { CachedKey } from './cached-key.js';
import type { StoredDataKey, DataKeyStore } from './data-key-store.js';
import { DatabaseClock } from './database-clock.js';
import type { Period } from './period.js';

const CACHE_MS = 5 * 60_000;

/** The key is deleted or expired: its ciphertexts can never be decrypted again. */
export class DataKeyDestroyed extends Error {
  override readonly name = 'DataKeyDestroyed';

  constructor(purpose: string, kid: string) {
    super(`The data key ${purpose}/${kid} is destroyed`);
  }
}

/** Work with a plaintext key. It must not keep the buffer, which is wiped later. */
export type UseKey<T> = (key: Buffer, kid: string) => T | Promise<T>;

/** The dependencies of `DataKeys`. */
export interface DataKeySettings {
  /** The name of the service, part of the encryption context of its keys. */
  readonly service: string;
  readonly kms: Pick<Kms, 'generateDataKey' | 'decrypt'>;
  readonly store: DataKeyStore;
}

/**
 * Envelope encryption: the data keys with which a service encrypts stored data. KMS generates and wraps them, the service
 * stores them wrapped in its own table and caches their plaintext for at most 5 minutes and 10,000 uses. A cached key
 * works while KMS is down.
 */
export class DataKeys {
  readonly #keys = new Map<string, CachedKey>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #clock: DatabaseClock;

  constructor(private readonly settings: DataKeySettings) {
    this.#clock = new DatabaseClock(() => settings.store.now());
  }

  /**
   * Passes the key of the current period to `use`, for encryption. The first use of a period creates the key; concurrent
   * processes end up with one row.
   * @throws KmsUnavailable
   */
  async current<T>(purpose: string, period: Period, use: UseKey<T>): Promise<T> {
    const now = await this.#clock.now();
    const kid = period.kidAt(now);
    return this.#withKey(purpose, kid, use, () =>
      this.#create({ purpose, kid, destroyAfter: period.destroyAfter(now) }),
    );
  }

  /**
   * Passes the key with this kid to `use`, for decryption.
   * @throws DataKeyDestroyed if the key is deleted or expired
   * @throws Tampered if KMS refuses the wrapped key of the row
   * @throws KmsUnavailable
   */
  byId<T>(purpose: string, kid: string, use: UseKey<T>): Promise<T> {
    return this.#withKey(purpose, kid, use);
  }

  /**
   * As `byId`, without waiting: undefined, without a call of `use`, while the key is not in memory. `use` does not wait either,
   * because the key may be wiped afterwards.
   */
  inMemory<T>(purpose: string, kid: string, use: (key: Buffer) => T): T | undefined {
    const cached = this.#keys.get(`${purpose}/${kid}`);
    return cached?.isUsable ? cached.useNow(use) : undefined;
  }

  /** Wipes the cache, for shutdown. A later use loads its key again. */
  close(): void {
    for (const name of this.#keys.keys()) this.#evict(name);
  }

  async #withKey<T>(
    purpose: string,
    kid: string,
    use: UseKey<T>,
    create?: () => Promise<Buffer>,
  ): Promise<T> {
    const name = `${purpose}/${kid}`;
    for (;;) {
      const cached = this.#keys.get(name);
      if (cached?.isUsable) return cached.use((key) => use(key, kid));
      this.#evict(name);
      await this.#loadOnce(`${name}:${create ? 'create' : 'find'}`, () => this.#load(purpose, kid, create));
    }
  }

  /** Single flight: concurrent loads of one key share one query, one KMS request and their outcome. */
  #loadOnce(flight: string, load: () => Promise<void>): Promise<void> {
    const running = this.#loading.get(flight);
    if (running) return running;
    const started = load().finally(() => this.#loading.delete(flight));
    this.#loading.set(flight, started);
    return started;
  }

  async #load(purpose: string, kid: string, create?: () => Promise<Buffer>): Promise<void> {
    const { row, now } = await this.settings.store.find(purpose, kid);
    this.#clock.observe(now);
    const lifetimeMs = Math.min(CACHE_MS, (row?.destroyAfter?.getTime() ?? Infinity) - now.getTime());
    if (lifetimeMs <= 0) throw new DataKeyDestroyed(purpose, kid);
    const expiresAtMs = performance.now() + lifetimeMs;
    const plaintext = await (row ? this.#unwrap(row) : create?.());
    if (!plaintext) throw new DataKeyDestroyed(purpose, kid);
    this.#cache(`${purpose}/${kid}`, new CachedKey(plaintext, expiresAtMs), lifetimeMs);
  }

  /** The timer wipes the key even if it is never used again. */
  #cache(name: string, key: CachedKey, lifetimeMs: number): void {
    this.#evict(name);
    this.#keys.set(name, key);
    setTimeout(() => this.#keys.get(name) === key && this.#evict(name), lifetimeMs).unref();
  }

  async #create({ purpose, kid, destroyAfter }: Omit<StoredDataKey, 'wrapped'>): Promise<Buffer> {
    const { plaintext, wrapped } = await this.settings.kms.generateDataKey(this.#contextOf(purpose, kid));
    if (await this.settings.store.insertIfAbsent({ purpose, kid, wrapped, destroyAfter })) return plaintext;
    // Another process has inserted its key first; discard this one.
    plaintext.fill(0);
    const { row } = await this.settings.store.find(purpose, kid);
    if (!row) throw new DataKeyDestroyed(purpose, kid);
    return this.#unwrap(row);
  }

  #unwrap({ purpose, kid, wrapped }: StoredDataKey): Promise<Buffer> {
    return this.settings.kms.decrypt(wrapped, this.#contextOf(purpose, kid));
  }

  #contextOf(purpose: string, kid: string): EncryptionContext {
    return { svc: this.settings.service, purpose, kid };
  }

  #evict(name: string): void {
    this.#keys.get(name)?.evict();
    this.#keys.delete(name);
  }
}
