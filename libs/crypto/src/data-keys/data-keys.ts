import type { EncryptionContext, Kms } from '../kms/index.js';
import { CachedKey } from './cached-key.js';
import type { DataKeyRow, DataKeyStore } from './data-key-store.js';
import { DatabaseClock } from './database-clock.js';
import type { Period } from './period.js';

const CACHE_MS = 5 * 60_000;

/** The row is gone or its time has passed: nothing that this key sealed can be opened again. */
export class DataKeyDestroyed extends Error {
  override readonly name = 'DataKeyDestroyed';

  constructor(purpose: string, kid: string) {
    super(`The data key ${purpose}/${kid} is destroyed`);
  }
}

/** Seals or opens with a key in clear. It must not keep the buffer, which is wiped some time after. */
export type UseKey<T> = (key: Buffer, kid: string) => T | Promise<T>;

/** What `DataKeys` works with. */
export interface DataKeySettings {
  /** The service's name, part of every key's encryption context. */
  readonly service: string;
  readonly kms: Pick<Kms, 'generateDataKey' | 'decrypt'>;
  readonly store: DataKeyStore;
}

/**
 * The keys with which a service seals what it stores: made and wrapped by KMS, kept wrapped in its own table, and in
 * clear in memory for at most 5 minutes and 10,000 uses. KMS may be down for as long as a key is cached.
 */
export class DataKeys {
  readonly #cached = new Map<string, CachedKey>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #clock: DatabaseClock;

  constructor(private readonly settings: DataKeySettings) {
    this.#clock = new DatabaseClock(() => settings.store.now());
  }

  /**
   * Seals with the key of the current period, which is made on its first use; processes that race end with one row.
   * Throws `KmsUnavailable`.
   */
  async current<T>(purpose: string, period: Period, use: UseKey<T>): Promise<T> {
    const now = await this.#clock.now();
    const kid = period.kidAt(now);
    return this.#lend(purpose, kid, use, () =>
      this.#create({ purpose, kid, destroyAfter: period.destroyAfter(now) }),
    );
  }

  /**
   * Opens with the key that sealed. Throws `DataKeyDestroyed` when it is no more, `KmsUnavailable`, or `Tampered` when
   * KMS refuses the row's wrapped key.
   */
  byId<T>(purpose: string, kid: string, use: UseKey<T>): Promise<T> {
    return this.#lend(purpose, kid, use);
  }

  /** Wipes every key. For shutdown; a later use loads again. */
  close(): void {
    for (const name of this.#cached.keys()) this.#evict(name);
  }

  async #lend<T>(purpose: string, kid: string, use: UseKey<T>, create?: () => Promise<Buffer>): Promise<T> {
    const name = `${purpose}/${kid}`;
    for (;;) {
      const cached = this.#cached.get(name);
      if (cached?.isUsable) return cached.lend((key) => use(key, kid));
      this.#evict(name);
      await this.#loadOnce(`${name}:${create ? 'create' : 'find'}`, () => this.#load(purpose, kid, create));
    }
  }

  /** However many ask at once, the database and KMS are asked once; all share the outcome. */
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
    const livesMs = Math.min(CACHE_MS, (row?.destroyAfter?.getTime() ?? Infinity) - now.getTime());
    if (livesMs <= 0) throw new DataKeyDestroyed(purpose, kid);
    const expiresAtMs = performance.now() + livesMs;
    const plaintext = await (row ? this.#unwrap(row) : create?.());
    if (!plaintext) throw new DataKeyDestroyed(purpose, kid);
    this.#keep(`${purpose}/${kid}`, new CachedKey(plaintext, expiresAtMs), livesMs);
  }

  /** The timer wipes a key that nobody asks for any more. */
  #keep(name: string, key: CachedKey, livesMs: number): void {
    this.#evict(name);
    this.#cached.set(name, key);
    setTimeout(() => this.#cached.get(name) === key && this.#evict(name), livesMs).unref();
  }

  async #create({ purpose, kid, destroyAfter }: Omit<DataKeyRow, 'wrapped'>): Promise<Buffer> {
    const { plaintext, wrapped } = await this.settings.kms.generateDataKey(this.#contextOf(purpose, kid));
    if (await this.settings.store.insertIfAbsent({ purpose, kid, wrapped, destroyAfter })) return plaintext;
    // Another process was first: its key is the one that counts.
    plaintext.fill(0);
    const { row } = await this.settings.store.find(purpose, kid);
    if (!row) throw new DataKeyDestroyed(purpose, kid);
    return this.#unwrap(row);
  }

  #unwrap({ purpose, kid, wrapped }: DataKeyRow): Promise<Buffer> {
    return this.settings.kms.decrypt(wrapped, this.#contextOf(purpose, kid));
  }

  #contextOf(purpose: string, kid: string): EncryptionContext {
    return { svc: this.settings.service, purpose, kid };
  }

  #evict(name: string): void {
    this.#cached.get(name)?.evict();
    this.#cached.delete(name);
  }
}
