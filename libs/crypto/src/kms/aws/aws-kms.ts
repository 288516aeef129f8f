import type { KMSClient } from '@aws-sdk/client-kms';
import {
  codeOf,
  malformedAnswer,
  ProviderFailure,
  type EncryptionContext,
  type FailureKind,
  type GeneratedDataKey,
  type GeneratedRandom,
  type KmsProvider,
} from '../provider/provider.js';
import type { AwsSettings } from '../provider/settings.js';

type Sdk = typeof import('@aws-sdk/client-kms');

/** Error codes of AWS for a ciphertext that does not match the context or the key. */
const REFUSED_CIPHERTEXT = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);

/** Transient error codes of AWS. All other errors in replies of KMS are final. */
const TRANSIENT = new Set([
  'ThrottlingException',
  'LimitExceededException',
  'KMSInternalException',
  'DependencyTimeoutException',
  'KeyUnavailableException',
]);

/** AWS KMS. Its generator is of hardware; CloudTrail has the encryption context of each call in plaintext. */
export class AwsKms implements KmsProvider {
  readonly #client: KMSClient;
  readonly #keyId: string;

  private constructor(
    private readonly sdk: Sdk,
    { endpoint, region, keyId, credentials }: AwsSettings,
  ) {
    this.#client = new sdk.KMSClient({
      region,
      maxAttempts: 1, // `retryTransient` retries, because the SDK's retries would bypass the circuit breaker.
      ...(endpoint && { endpoint }),
      ...(credentials && { credentials }),
    });
    this.#keyId = keyId;
  }

  /** The SDK is a megabyte of code that services with another provider do not run. */
  static async load(settings: AwsSettings): Promise<AwsKms> {
    return new AwsKms(await import('@aws-sdk/client-kms'), settings);
  }

  async generateRandom(bytes: number, abortSignal: AbortSignal): Promise<GeneratedRandom> {
    const command = new this.sdk.GenerateRandomCommand({ NumberOfBytes: bytes });
    const answer = await this.#client.send(command, { abortSignal }).catch(refuse);
    const { requestId } = answer.$metadata;
    if (!requestId) throw malformedAnswer();
    return { random: copySecret(answer.Plaintext, bytes), requestId };
  }

  async generateDataKey(context: EncryptionContext, abortSignal: AbortSignal): Promise<GeneratedDataKey> {
    const input = { KeyId: this.#keyId, KeySpec: 'AES_256', EncryptionContext: context } as const;
    const command = new this.sdk.GenerateDataKeyCommand(input);
    const answer = await this.#client.send(command, { abortSignal }).catch(refuse);
    return { plaintext: copySecret(answer.Plaintext, 32), wrapped: copyBlob(answer.CiphertextBlob) };
  }

  async encrypt(plaintext: Buffer, context: EncryptionContext, abortSignal: AbortSignal): Promise<Buffer> {
    const command = new this.sdk.EncryptCommand({
      KeyId: this.#keyId,
      Plaintext: plaintext,
      EncryptionContext: context,
    });
    return copyBlob((await this.#client.send(command, { abortSignal }).catch(refuse)).CiphertextBlob);
  }

  async decrypt(wrapped: Buffer, context: EncryptionContext, abortSignal: AbortSignal): Promise<Buffer> {
    const input = { KeyId: this.#keyId, CiphertextBlob: wrapped, EncryptionContext: context };
    const command = new this.sdk.DecryptCommand(input);
    return copySecret((await this.#client.send(command, { abortSignal }).catch(refuse)).Plaintext);
  }

  /** AWS keeps the former versions of a key that it rotates, so none has to be moved. */
  isNewest(): Promise<boolean> {
    return Promise.resolve(true);
  }

  close(): void {
    this.#client.destroy();
  }
}

// Only the code: the message of an SDK error may contain parts of the request.
function refuse(error: unknown): never {
  const code = codeOf(error);
  if (code === 'AbortError') throw error; // of the signal, whose owner names it
  throw new ProviderFailure(kindOf(error, code), code);
}

function kindOf(error: unknown, code: string): FailureKind {
  if (REFUSED_CIPHERTEXT.has(code)) return 'refused';
  const { httpStatusCode } = (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  const isReply = httpStatusCode !== undefined && httpStatusCode < 500;
  return isReply && !TRANSIENT.has(code) ? 'final' : 'transient';
}

/** Copies a secret and wipes the SDK's copy. */
function copySecret(bytes: Uint8Array | undefined, length = bytes?.length): Buffer {
  if (!bytes || bytes.length === 0 || bytes.length !== length) throw malformedAnswer();
  const secret = Buffer.alloc(bytes.length);
  secret.set(bytes);
  bytes.fill(0);
  return secret;
}

function copyBlob(bytes: Uint8Array | undefined): Buffer {
  if (!bytes || bytes.length === 0) throw malformedAnswer();
  return Buffer.from(bytes);
}
