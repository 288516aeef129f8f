import { Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Jwk } from '@vaultsvc/contracts/auth';
import { openContent, sealContent } from '@vaultsvc/crypto/aead';
import { DataKeys, monthly } from '@vaultsvc/crypto/data-keys';
import { PeriodicJob } from '@vaultsvc/service';
import { SignJWT, type JWTPayload } from 'jose';
import { generateEd25519, importPrivateKey, publicJwk, type NewKeyPair } from './ed25519.js';
import type { KeyRepository, KeyRow, ReadKeys } from './key.repository.js';

const READ_EVERY_MS = 60_000;
const RETRY_WITHOUT_KEY_MS = 2_000;
/** An older snapshot could lack a successor that signs already, or contain a key that verifiers have dropped. */
const READING_AGE_MAX_MS = 5 * 60_000;

interface Reading extends ReadKeys {
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
 * The Ed25519 keys of one purpose: generated here, sealed under a KMS data key of this purpose, rotated every 30 days. A
 * private key is in memory only while it signs. All instances of the service share the keys.
 */
export abstract class RotatingKeys implements OnModuleInit, BeforeApplicationShutdown {
  readonly #logger: Logger;
  readonly #repeating: PeriodicJob;
  #reading: Reading | undefined;

  constructor(
    private readonly purpose: 'signing' | 'receipt',
    private readonly repository: KeyRepository,
    private readonly dataKeys: DataKeys,
  ) {
    this.#logger = new Logger(`${purpose}-keys`);
    this.#repeating = new PeriodicJob(`rotate-${purpose}-keys`, () => this.#round());
  }

  /** The service starts while KMS is down: API keys do not need it, and a key is created once KMS is back. */
  async onModuleInit(): Promise<void> {
    await this.rotate().catch((error: unknown) =>
      this.#logger.error({ msg: `no ${this.purpose} key yet`, err: error }),
    );
    this.#repeating.start(this.#pauseMs());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#repeating.stop();
  }

  /** Creates the key that is due, destroys keys that are outlived, and reloads the set. */
  async rotate(): Promise<void> {
    try {
      const generation = await this.repository.dueGeneration();
      if (generation !== undefined) await this.#make(generation);
      await this.repository.destroyOutlived();
    } finally {
      this.#reading = { ...(await this.repository.read()), readAtMs: performance.now() };
    }
  }

  /** The keys that verify signatures, oldest first; the next key is among them before it signs. */
  async publicKeys(): Promise<Jwk[]> {
    const { keys } = await this.repository.read();
    return keys.map(({ kid, public_key: x }) => publicJwk(kid, x));
  }

  /**
   * The database's time in epoch seconds, used for `iat` and `exp`.
   * @throws NoSigningKey
   */
  now(): number {
    return Math.floor(nowMs(this.#fresh()) / 1_000);
  }

  /**
   * Signs these claims unchanged.
   * @throws NoSigningKey, KmsUnavailable
   */
  async sign(typ: string, claims: JWTPayload): Promise<string> {
    const { kid, dataKeyId, sealed } = this.current();
    const privateKey = await this.dataKeys.byId(this.purpose, dataKeyId, (dataKey) =>
      unseal(dataKey, labelOf(this.purpose), kid, sealed),
    );
    return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ, kid }).sign(privateKey);
  }

  /**
   * The newest key whose first use is in the past.
   * @throws NoSigningKey
   */
  protected current(): SealedKey {
    const reading = this.#fresh();
    const now = nowMs(reading);
    const key = reading.keys.findLast(({ first_use_at_ms: firstUseAtMs }) => firstUseAtMs <= now);
    return sealedKeyOf(key);
  }

  async #round(): Promise<number> {
    try {
      await this.rotate();
    } catch (error) {
      this.#logger.error({ msg: `${this.purpose} keys could not be renewed`, err: error });
    }
    return this.#pauseMs();
  }

  #pauseMs(): number {
    return this.#reading?.keys.length ? READ_EVERY_MS : RETRY_WITHOUT_KEY_MS;
  }

  async #make(generation: number): Promise<void> {
    const pair = await generateEd25519();
    try {
      await this.dataKeys.current(this.purpose, monthly, (key, dataKeyId) =>
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
    const sealed = sealContent(dataKey, labelOf(this.purpose), [kid], privateKey);
    await this.repository.insertIfFirst({ generation, kid, publicKey, dataKeyId, sealed });
  }

  #fresh(): Reading {
    const reading = this.#reading;
    if (!reading || performance.now() - reading.readAtMs > READING_AGE_MAX_MS) throw new NoSigningKey();
    return reading;
  }
}

interface SealedKey {
  readonly kid: string;
  readonly dataKeyId: string;
  readonly sealed: Buffer;
}

function sealedKeyOf(key: KeyRow | undefined): SealedKey {
  if (!key?.sealed || key.data_key_id === null) throw new NoSigningKey();
  return { kid: key.kid, dataKeyId: key.data_key_id, sealed: key.sealed };
}

type KeyLabel = `vk/v1/sealed/${'signing' | 'receipt'}`;

/** A private key of one purpose does not open as one of the other. */
function labelOf(purpose: 'signing' | 'receipt'): KeyLabel {
  return `vk/v1/sealed/${purpose}`;
}

async function unseal(dataKey: Buffer, label: KeyLabel, kid: string, sealed: Buffer) {
  const pkcs8 = openContent(dataKey, label, [kid], sealed);
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
