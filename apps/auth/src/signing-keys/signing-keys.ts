import { generateKeyPairSync, webcrypto } from 'node:crypto';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Jwk, JwkSet } from '@vaultsvc/contracts/auth';
import { openContent, sealContent } from '@vaultsvc/crypto/aead';
import { DataKeys, monthly } from '@vaultsvc/crypto/data-keys';
import { PeriodicJob, ReadinessChecks } from '@vaultsvc/service';
import { calculateJwkThumbprint, type JWTPayload, SignJWT } from 'jose';
import { SigningKeyRepository, type ReadSigningKeys, type SigningKeyRow } from './signing-key.repository.js';

const PURPOSE = 'signing';
const LABEL = 'vk/v1/sealed/signing';
const READ_EVERY_MS = 60_000;
const RETRY_WITHOUT_KEY_MS = 2_000;
/** An older snapshot could lack a successor that signs already, or contain a key that verifiers have dropped. */
const READING_AGE_MAX_MS = 5 * 60_000;

interface Reading extends ReadSigningKeys {
  readonly readAtMs: number;
}

/** No key can sign now: none was created yet (KMS is down), or PostgreSQL has been unreachable for too long. */
export class NoSigningKey extends Error {
  override readonly name = 'NoSigningKey';

  constructor() {
    super('there is no signing key to use now');
  }
}

/**
 * The Ed25519 keys that sign tokens: generated here, sealed under a KMS data key, rotated every 30 days. A private key is in
 * memory only while it signs. All instances of the service share the keys.
 */
@Injectable()
export class SigningKeys implements OnModuleInit, BeforeApplicationShutdown {
  readonly #logger = new Logger('signing-keys');
  readonly #repeating = new PeriodicJob('rotate-signing-keys', () => this.#round());
  #reading: Reading | undefined;

  constructor(
    private readonly repository: SigningKeyRepository,
    private readonly dataKeys: DataKeys,
    readiness: ReadinessChecks,
  ) {
    readiness.add('signing-key', async () => void this.#current());
  }

  /** The service starts while KMS is down: API keys do not need it, and a key is created once KMS is back. */
  async onModuleInit(): Promise<void> {
    await this.rotate().catch((error: unknown) =>
      this.#logger.error({ msg: 'no signing key yet', err: error }),
    );
    this.#repeating.start(this.#pauseMs());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#repeating.stop();
  }

  /** Creates the key that is due, deletes keys whose tokens have expired, and reloads the set. */
  async rotate(): Promise<void> {
    try {
      const generation = await this.repository.dueGeneration();
      if (generation !== undefined) await this.#make(generation);
      await this.repository.deleteOutlived();
    } finally {
      this.#reading = { ...(await this.repository.read()), readAtMs: performance.now() };
    }
  }

  /** The keys that verify tokens: current, previous and next ones. */
  async jwks(): Promise<JwkSet> {
    const { keys } = await this.repository.read();
    return { keys: keys.map(({ kid, public_key: x }) => publicJwk(kid, x)) };
  }

  /** The database's time in seconds, used for `iat` and `exp`. */
  now(): number {
    return Math.floor(nowMs(this.#fresh()) / 1_000);
  }

  /**
   * Signs these claims unchanged.
   * @throws NoSigningKey, KmsUnavailable
   */
  async sign(typ: string, claims: JWTPayload): Promise<string> {
    const { kid, data_key_id: dataKeyId, sealed } = this.#current();
    const privateKey = await this.dataKeys.byId(PURPOSE, dataKeyId, (dataKey) =>
      unseal(dataKey, kid, sealed),
    );
    return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ, kid }).sign(privateKey);
  }

  async #round(): Promise<number> {
    try {
      await this.rotate();
    } catch (error) {
      this.#logger.error({ msg: 'signing keys could not be renewed', err: error });
    }
    return this.#pauseMs();
  }

  #pauseMs(): number {
    return this.#reading?.keys.length ? READ_EVERY_MS : RETRY_WITHOUT_KEY_MS;
  }

  async #make(generation: number): Promise<void> {
    const pair = await generateEd25519();
    try {
      await this.dataKeys.current(PURPOSE, monthly, (key, dataKeyId) =>
        this.#keep(generation, pair, key, dataKeyId),
      );
    } finally {
      pair.privateKey.fill(0);
    }
  }

  async #keep(
    generation: number,
    { kid, publicKey, privateKey }: NewKeyPair,
    dataKey: Buffer,
    dataKeyId: string,
  ): Promise<void> {
    const sealed = sealContent(dataKey, LABEL, [kid], privateKey);
    await this.repository.insertIfFirst({ generation, kid, publicKey, dataKeyId, sealed });
  }

  #fresh(): Reading {
    const reading = this.#reading;
    if (!reading || performance.now() - reading.readAtMs > READING_AGE_MAX_MS) throw new NoSigningKey();
    return reading;
  }

  /** The newest key whose first use is in the past. */
  #current(): SigningKeyRow {
    const reading = this.#fresh();
    const now = nowMs(reading);
    const key = reading.keys.findLast(({ first_use_at_ms: firstUseAtMs }) => firstUseAtMs <= now);
    if (!key) throw new NoSigningKey();
    return key;
  }
}

async function unseal(dataKey: Buffer, kid: string, sealed: Buffer) {
  const pkcs8 = openContent(dataKey, LABEL, [kid], sealed);
  try {
    return await importPrivateKey(pkcs8);
  } finally {
    pkcs8.fill(0);
  }
}

/** The database's time at the last read, advanced by the monotonic clock. */
function nowMs({ nowMs: readMs, readAtMs }: Reading): number {
  return readMs + (performance.now() - readAtMs);
}

export interface NewKeyPair {
  /** The key's RFC 7638 thumbprint, which cannot be chosen. */
  readonly kid: string;
  /** `x` of the JWK (RFC 8037, section 2). */
  readonly publicKey: string;
  /** PKCS #8 in DER. The caller fills it with 0 when done. */
  readonly privateKey: Buffer;
}

export async function generateEd25519(): Promise<NewKeyPair> {
  const pair = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  // SPKI of Ed25519 is a fixed prefix and the 32 bytes of the key (RFC 8410, section 4).
  const publicKey = pair.publicKey.subarray(-32).toString('base64url');
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x: publicKey });
  return { kid, publicKey, privateKey: pair.privateKey };
}

/**
 * Imports a non-extractable signing key; the input can be wiped afterwards. Not a KeyObject: jose would export that as a JWK,
 * and strings cannot be wiped.
 */
export function importPrivateKey(pkcs8: Buffer): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, false, ['sign']);
}

export function publicJwk(kid: string, publicKey: string): Jwk {
  return { kty: 'OKP', crv: 'Ed25519', x: publicKey, kid, alg: 'EdDSA', use: 'sig' };
}
