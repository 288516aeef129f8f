import { Injectable } from '@nestjs/common';
import { serviceContext } from '@vaultsvc/contracts';
import { listSigningKeys } from '@vaultsvc/contracts/auth';
import { newRequestId } from '@vaultsvc/http';
import { Bus } from '@vaultsvc/messaging';
import { importJWK, type CryptoKey, type JSONWebKeySet, type JWK } from 'jose';

/** Auth publishes a key ten minutes before its first use, so keys may be five minutes old. */
const FRESH_MS = 300_000;
/** An unknown key id may be a new key or forged, so it triggers at most one request to auth in this time. */
const COOLDOWN_MS = 10_000;

/** Caches the public keys of access tokens, by key id, which auth lists. */
@Injectable()
export class SigningKeyCache {
  #keys: ReadonlyMap<string, CryptoKey> = new Map();
  #loadedAtMs = -Infinity;
  #requestedAtMs = -Infinity;
  #pending: Promise<void> | undefined;

  constructor(private readonly bus: Bus) {}

  /**
   * The key, or undefined when auth does not list it. A cached key stays usable while auth is down. Rejects when the key
   * is not cached and auth does not answer. Failed requests count for the cooldown too.
   */
  async find(kid: string): Promise<CryptoKey | undefined> {
    const now = performance.now();
    const cached = this.#keys.get(kid);
    const isDue = cached === undefined || now - this.#loadedAtMs > FRESH_MS;
    const mayRefresh = this.#pending !== undefined || now - this.#requestedAtMs > COOLDOWN_MS;
    if (!isDue || !mayRefresh) return cached;
    await this.#refresh().catch((error: unknown) => {
      if (cached === undefined) throw error;
    });
    return this.#keys.get(kid);
  }

  /** All concurrent callers share one request to auth. */
  #refresh(): Promise<void> {
    if (this.#pending) return this.#pending;
    this.#requestedAtMs = performance.now();
    this.#pending = this.#load().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #load(): Promise<void> {
    const { keys_json } = await this.bus.call(
      listSigningKeys,
      {},
      serviceContext({ requestId: newRequestId() }),
    );
    const { keys } = JSON.parse(keys_json) as JSONWebKeySet;
    this.#keys = new Map(await Promise.all(keys.filter(isEd25519).map(importKey)));
    this.#loadedAtMs = performance.now();
  }
}

function isEd25519(key: JWK): boolean {
  return key.kty === 'OKP' && key.crv === 'Ed25519' && typeof key.kid === 'string';
}

async function importKey(key: JWK): Promise<[string, CryptoKey]> {
  return [key.kid as string, (await importJWK(key, 'EdDSA')) as CryptoKey];
}
