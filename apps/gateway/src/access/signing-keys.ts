import { Injectable } from '@nestjs/common';
import { serviceContext } from '@vaultsvc/contracts';
import { listSigningKeys } from '@vaultsvc/contracts/auth';
import { newRequestId } from '@vaultsvc/http';
import { Bus } from '@vaultsvc/messaging';
import { importJWK, type CryptoKey, type JSONWebKeySet, type JWK } from 'jose';

/** Auth publishes a key ten minutes before its first use, so five minutes old is new enough. */
const FRESH_MS = 300_000;
/** A key id that we do not know may be a new key, or anybody's invention: auth is asked this often at most. */
const COOLDOWN_MS = 10_000;

/** The public keys of access tokens, by key id, as auth lists them. */
@Injectable()
export class SigningKeys {
  #keys: ReadonlyMap<string, CryptoKey> = new Map();
  #loadedAtMs = -Infinity;
  #askedAtMs = -Infinity;
  #asking: Promise<void> | undefined;

  constructor(private readonly bus: Bus) {}

  /**
   * The key, or undefined when auth does not list it. A key that is held serves on while auth is away; rejects when
   * auth has to be asked for one that is not and does not answer. A failed question counts for the cooldown too.
   */
  async find(kid: string): Promise<CryptoKey | undefined> {
    const now = performance.now();
    const held = this.#keys.get(kid);
    const isDue = held === undefined || now - this.#loadedAtMs > FRESH_MS;
    const maySettle = this.#asking !== undefined || now - this.#askedAtMs > COOLDOWN_MS;
    if (!isDue || !maySettle) return held;
    await this.#refresh().catch((error: unknown) => {
      if (held === undefined) throw error;
    });
    return this.#keys.get(kid);
  }

  /** One question at a time, however many wait for its answer. */
  #refresh(): Promise<void> {
    if (this.#asking) return this.#asking;
    this.#askedAtMs = performance.now();
    this.#asking = this.#load().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #load(): Promise<void> {
    const { keys_json } = await this.bus.call(listSigningKeys, {}, serviceContext(newRequestId()));
    const { keys } = JSON.parse(keys_json) as JSONWebKeySet;
    this.#keys = new Map(await Promise.all(keys.filter(isOurs).map(importKey)));
    this.#loadedAtMs = performance.now();
  }
}

function isOurs(key: JWK): boolean {
  return key.kty === 'OKP' && key.crv === 'Ed25519' && typeof key.kid === 'string';
}

async function importKey(key: JWK): Promise<[string, CryptoKey]> {
  return [key.kid as string, (await importJWK(key, 'EdDSA')) as CryptoKey];
}
