import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GenerateRandomCommand,
  type GenerateRandomCommandOutput,
  KMSClient,
} from '@aws-sdk/client-kms';
import { CircuitBreaker } from './circuit-breaker.js';
import type { KmsSettings } from './kms-config.js';
import { KmsUnavailable, retryTransient } from './retry.js';

/** Additional authenticated data of a KMS ciphertext. CloudTrail logs it in plaintext: ids only, no names or secrets. */
export type EncryptionContext = Readonly<Record<string, string>>;

const TIMEOUT_MS = 2_000;
/** Largest reply of `generateRandom` in bytes. */
export const RANDOM_BYTES_MAX = 1_024;
const PLAINTEXT_BYTES_MAX = 4_096;

/**
 * AWS KMS: the root of all keys, without a software fallback (OPEN-45).
 *
 * Every method throws `KmsUnavailable` if KMS does not answer in three attempts or denies the request. Only entropy may
 * call KMS per request: the request quota applies to the whole region.
 */
export class Kms {
  readonly #client: KMSClient;
  readonly #keyId: string;
  readonly #timeoutMs: number;
  readonly #breaker = new CircuitBreaker();

  constructor({ kmsEndpoint, kmsRegion, kmsKeyId, kmsCredentials, kmsTimeoutMs = TIMEOUT_MS }: KmsSettings) {
    this.#client = new KMSClient({
      region: kmsRegion,
      maxAttempts: 1, // `retryTransient` retries, because the SDK's retries would bypass the circuit breaker.
      ...(kmsEndpoint && { endpoint: kmsEndpoint }),
      ...(kmsCredentials && { credentials: kmsCredentials }),
    });
    this.#keyId = kmsKeyId;
    this.#timeoutMs = kmsTimeoutMs;
  }

  /**
   * 1 to 1,024 bytes from the generator of KMS, and the request id by which CloudTrail identifies the reply. A reply without
   * a request id is refused. The caller wipes the bytes.
   * @throws RangeError for another number of bytes
   */
  async generateRandom(bytes: number): Promise<{ random: Buffer; requestId: string }> {
    assertLength(bytes, RANDOM_BYTES_MAX);
    const command = new GenerateRandomCommand({ NumberOfBytes: bytes });
    const answer = await this.#try((abortSignal) => this.#client.send(command, { abortSignal }));
    const requestId = requestIdOf(answer);
    return { random: copySecret(answer.Plaintext, bytes), requestId };
  }

  /** A new 256-bit key, in plaintext and wrapped. The caller wipes the plaintext. */
  async generateDataKey(context: EncryptionContext): Promise<{ plaintext: Buffer; wrapped: Buffer }> {
    const input = { KeyId: this.#keyId, KeySpec: 'AES_256', EncryptionContext: context } as const;
    const command = new GenerateDataKeyCommand(input);
    const answer = await this.#try((abortSignal) => this.#client.send(command, { abortSignal }));
    return { plaintext: copySecret(answer.Plaintext, 32), wrapped: copyBlob(answer.CiphertextBlob) };
  }

  /**
   * Encrypts 1 to 4,096 bytes under the KMS key itself.
   * @throws RangeError for another number of bytes
   */
  async encrypt(plaintext: Buffer, context: EncryptionContext): Promise<Buffer> {
    assertLength(plaintext.length, PLAINTEXT_BYTES_MAX);
    const command = new EncryptCommand({
      KeyId: this.#keyId,
      Plaintext: plaintext,
      EncryptionContext: context,
    });
    return copyBlob(
      (await this.#try((abortSignal) => this.#client.send(command, { abortSignal }))).CiphertextBlob,
    );
  }

  /**
   * Decrypts a wrapped data key or the output of `encrypt`. The caller wipes the plaintext.
   * @throws Tampered for another context, another key or changed bytes
   */
  async decrypt(wrapped: Buffer, context: EncryptionContext): Promise<Buffer> {
    const input = { KeyId: this.#keyId, CiphertextBlob: wrapped, EncryptionContext: context };
    const command = new DecryptCommand(input);
    return copySecret(
      (await this.#try((abortSignal) => this.#client.send(command, { abortSignal }))).Plaintext,
    );
  }

  /** Closes the connections. */
  close(): void {
    this.#client.destroy();
  }

  #try<T>(attempt: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    return retryTransient(this.#breaker, () => attempt(AbortSignal.timeout(this.#timeoutMs)));
  }
}

/** Copies a secret and wipes the SDK's copy. */
function copySecret(bytes: Uint8Array | undefined, length = bytes?.length): Buffer {
  if (!bytes || bytes.length === 0 || bytes.length !== length) throw new KmsUnavailable('MalformedAnswer');
  const secret = Buffer.alloc(bytes.length);
  secret.set(bytes);
  bytes.fill(0);
  return secret;
}

function copyBlob(bytes: Uint8Array | undefined): Buffer {
  if (!bytes || bytes.length === 0) throw new KmsUnavailable('MalformedAnswer');
  return Buffer.from(bytes);
}

function requestIdOf({ $metadata }: GenerateRandomCommandOutput): string {
  if (!$metadata.requestId) throw new KmsUnavailable('MalformedAnswer');
  return $metadata.requestId;
}

function assertLength(bytes: number, max: number): void {
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > max)
    throw new RangeError(`KMS accepts 1 to ${max} bytes`);
}
