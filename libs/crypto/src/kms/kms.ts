import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GenerateRandomCommand,
  type GenerateRandomCommandOutput,
  KMSClient,
} from '@aws-sdk/client-kms';
import { CircuitBreaker } from './circuit-breaker.js';
import { KmsUnavailable } from './kms-errors.js';
import type { KmsSettings } from './kms-settings.js';
import { withRetries } from './retry.js';

/** What a ciphertext belongs to. It shows in CloudTrail in clear: ids only, never names or secrets. */
export type EncryptionContext = Readonly<Record<string, string>>;

const TIMEOUT_MS = 2_000;
/** Of one answer. */
export const RANDOM_BYTES_MAX = 1_024;
const PLAINTEXT_BYTES_MAX = 4_096;

/**
 * Key management over the AWS KMS API: the only root of our keys, without a software fallback (OPEN-45).
 *
 * Every method throws `KmsUnavailable` when KMS gives no answer in three attempts, or refuses us. Never call it once
 * per request: its quota is shared by everything in the region. Entropy is the one exception.
 */
export class Kms {
  readonly #client: KMSClient;
  readonly #keyId: string;
  readonly #timeoutMs: number;
  readonly #breaker = new CircuitBreaker();

  constructor({ kmsEndpoint, kmsRegion, kmsKeyId, kmsCredentials, kmsTimeoutMs = TIMEOUT_MS }: KmsSettings) {
    this.#client = new KMSClient({
      region: kmsRegion,
      maxAttempts: 1, // The SDK's own retries know nothing of our breaker.
      ...(kmsEndpoint && { endpoint: kmsEndpoint }),
      ...(kmsCredentials && { credentials: kmsCredentials }),
    });
    this.#keyId = kmsKeyId;
    this.#timeoutMs = kmsTimeoutMs;
  }

  /**
   * 1 to 1,024 bytes from the key management's own generator, and what it calls this answer in its own log. The caller
   * fills the bytes with 0 when done. Bytes whose origin cannot be named are not given out.
   */
  async generateRandom(bytes: number): Promise<{ random: Buffer; requestId: string }> {
    assertLength(bytes, RANDOM_BYTES_MAX);
    const command = new GenerateRandomCommand({ NumberOfBytes: bytes });
    const answer = await this.#try((abortSignal) => this.#client.send(command, { abortSignal }));
    const requestId = takeRequestId(answer);
    return { random: takeSecret(answer.Plaintext, bytes), requestId };
  }

  /** A fresh 256-bit key, in clear and wrapped. The caller fills the clear one with 0 when done. */
  async generateDataKey(context: EncryptionContext): Promise<{ plaintext: Buffer; wrapped: Buffer }> {
    const input = { KeyId: this.#keyId, KeySpec: 'AES_256', EncryptionContext: context } as const;
    const command = new GenerateDataKeyCommand(input);
    const answer = await this.#try((abortSignal) => this.#client.send(command, { abortSignal }));
    return { plaintext: takeSecret(answer.Plaintext, 32), wrapped: takeBlob(answer.CiphertextBlob) };
  }

  /** Seals up to 4,096 bytes under the key itself. */
  async encrypt(plaintext: Buffer, context: EncryptionContext): Promise<Buffer> {
    assertLength(plaintext.length, PLAINTEXT_BYTES_MAX);
    const command = new EncryptCommand({
      KeyId: this.#keyId,
      Plaintext: plaintext,
      EncryptionContext: context,
    });
    return takeBlob(
      (await this.#try((abortSignal) => this.#client.send(command, { abortSignal }))).CiphertextBlob,
    );
  }

  /** Opens a data key or what `encrypt` made. Throws `Tampered` for another context, another key or changed bytes. */
  async decrypt(wrapped: Buffer, context: EncryptionContext): Promise<Buffer> {
    const input = { KeyId: this.#keyId, CiphertextBlob: wrapped, EncryptionContext: context };
    const command = new DecryptCommand(input);
    return takeSecret(
      (await this.#try((abortSignal) => this.#client.send(command, { abortSignal }))).Plaintext,
    );
  }

  /** Closes the connections. */
  close(): void {
    this.#client.destroy();
  }

  #try<T>(attempt: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    return withRetries(this.#breaker, () => attempt(AbortSignal.timeout(this.#timeoutMs)));
  }
}

/** Moves a secret into memory of our own and wipes the SDK's copy. */
function takeSecret(bytes: Uint8Array | undefined, length = bytes?.length): Buffer {
  if (!bytes || bytes.length === 0 || bytes.length !== length) throw new KmsUnavailable('MalformedAnswer');
  const secret = Buffer.alloc(bytes.length);
  secret.set(bytes);
  bytes.fill(0);
  return secret;
}

function takeBlob(bytes: Uint8Array | undefined): Buffer {
  if (!bytes || bytes.length === 0) throw new KmsUnavailable('MalformedAnswer');
  return Buffer.from(bytes);
}

function takeRequestId({ $metadata }: GenerateRandomCommandOutput): string {
  if (!$metadata.requestId) throw new KmsUnavailable('MalformedAnswer');
  return $metadata.requestId;
}

function assertLength(bytes: number, max: number): void {
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > max)
    throw new RangeError(`KMS takes 1 to ${max} bytes`);
}
