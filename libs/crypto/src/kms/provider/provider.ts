/** Additional authenticated data of a ciphertext of KMS. AWS and Vault log it: ids only, no names or secrets. */
export type EncryptionContext = Readonly<Record<string, string>>;

/** A new 256-bit key. The caller wipes the plaintext. */
export interface GeneratedDataKey {
  readonly plaintext: Buffer;
  readonly wrapped: Buffer;
}

/** Random bytes, and the id of the answer in the log of the provider. */
export interface GeneratedRandom {
  readonly random: Buffer;
  readonly requestId: string;
}

/**
 * One key of one provider of key management. Methods make a single attempt and throw `ProviderFailure`; `KmsKey` retries and
 * breaks the circuit. What a provider wraps opens with the same context only.
 */
export interface KmsProvider {
  /** 1 to 1,024 bytes of a hardware source; refused by a provider without one (OPEN-45). */
  generateRandom(bytes: number, signal: AbortSignal): Promise<GeneratedRandom>;
  generateDataKey(context: EncryptionContext, signal: AbortSignal): Promise<GeneratedDataKey>;
  encrypt(plaintext: Buffer, context: EncryptionContext, signal: AbortSignal): Promise<Buffer>;
  decrypt(wrapped: Buffer, context: EncryptionContext, signal: AbortSignal): Promise<Buffer>;
  /** Whether the ciphertext is under the newest version of the key, so that older versions are not needed for it. */
  isNewest(wrapped: Buffer, signal: AbortSignal): Promise<boolean>;
  /** Closes connections and wipes keys. */
  close(): void;
}

/**
 * How a failure is handled. `refused`: the ciphertext does not belong to this key and context. `final`: the provider has
 * answered, and will not answer otherwise. `transient`: no answer, or one that says "later".
 */
export type FailureKind = 'refused' | 'final' | 'transient';

/** A failed attempt. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';

  /** `reason`: an error code of the provider or of the network; never a value of the request. */
  constructor(
    readonly kind: FailureKind,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** A provider answered something else than its API says. */
export function malformedAnswer(): ProviderFailure {
  return new ProviderFailure('final', 'MalformedAnswer');
}

/** The code of an error of Node or of the network. Its message may contain parts of the request. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Unknown';
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : error.name;
}
