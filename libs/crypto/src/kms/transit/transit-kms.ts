import { withForm, withoutForm } from '../provider/ciphertext-form.js';
import { encodedContext } from '../provider/encoded-context.js';
import {
  malformedAnswer,
  ProviderFailure,
  type EncryptionContext,
  type GeneratedDataKey,
  type GeneratedRandom,
  type KmsProvider,
} from '../provider/provider.js';
import type { TransitSettings } from '../provider/settings.js';
import { decodeBase64, lengthPrefixed } from '../../encoding/index.js';
import { failureOf, VaultClient, VaultRefusal } from './vault-client.js';
import { VaultSession } from './vault-session.js';

type Data = Readonly<Record<string, unknown>>;

/** What Vault and OpenBao say of a ciphertext that does not belong to the key and context. They have no codes. */
const REFUSED_CIPHERTEXT = [/^invalid ciphertext/, /^cipher: message authentication failed$/];

const CIPHERTEXT = /^vault:v([1-9]\d{0,8}):[\w+/=-]+$/;

/**
 * The transit engine of Vault or OpenBao. The encryption context is the context of a derived key: the engine derives a key of its
 * own from each, so that another context opens nothing. `associated_data` would bind it as well, but data keys do not have it.
 */
export class TransitKms implements KmsProvider {
  readonly #client: VaultClient;
  readonly #session: VaultSession;
  #isContextBound = false;
  /** The version of the last ciphertext, which the engine makes with the newest one. */
  #newestVersion = 0;

  constructor(private readonly settings: TransitSettings) {
    this.#client = new VaultClient(settings.url, settings.namespace);
    this.#session = new VaultSession(this.#client, settings);
  }

  async generateRandom(bytes: number, signal: AbortSignal): Promise<GeneratedRandom> {
    const { random: source, mount } = this.settings;
    if (source === 'refused') throw new ProviderFailure('final', 'NoHardwareSource');
    const answer = await this.#post(`${mount}/random/${source}/${bytes}`, { format: 'base64' }, signal);
    const { request_id: requestId } = answer;
    if (typeof requestId !== 'string' || requestId === '') throw malformedAnswer();
    return { random: bytesOf(answer.data?.['random_bytes'], bytes), requestId };
  }

  async generateDataKey(context: EncryptionContext, signal: AbortSignal): Promise<GeneratedDataKey> {
    await this.#assertContextBound(signal);
    const { plaintext, ciphertext } = await this.#dataKey(context, signal);
    return { plaintext: bytesOf(plaintext, 32), wrapped: this.#wrappedOf(ciphertext) };
  }

  async encrypt(plaintext: Buffer, context: EncryptionContext, signal: AbortSignal): Promise<Buffer> {
    await this.#assertContextBound(signal);
    const body = { plaintext: plaintext.toString('base64'), context: contextOf(context) };
    return this.#wrappedOf((await this.#callKey('encrypt', body, signal))['ciphertext']);
  }

  async decrypt(wrapped: Buffer, context: EncryptionContext, signal: AbortSignal): Promise<Buffer> {
    const ciphertext = withoutForm('transit', wrapped).toString('latin1');
    if (!CIPHERTEXT.test(ciphertext)) throw new ProviderFailure('refused', 'UnknownForm');
    const body = { ciphertext, context: contextOf(context) };
    return bytesOf((await this.#callKey('decrypt', body, signal))['plaintext']);
  }

  async isNewest(wrapped: Buffer, signal: AbortSignal): Promise<boolean> {
    await this.#assertContextBound(signal);
    return versionOf(withoutForm('transit', wrapped).toString('latin1')) >= this.#newestVersion;
  }

  /** The connections of fetch are shared by the process. */
  close(): void {}

  /** A key that is not derived ignores the context without a word, so the first wrap tries it. */
  async #assertContextBound(signal: AbortSignal): Promise<void> {
    if (this.#isContextBound) return;
    const { ciphertext } = await this.#dataKey({ purpose: 'probe' }, signal);
    const wrapped = this.#wrappedOf(ciphertext);
    if (await this.#opens(wrapped, { purpose: 'other-probe' }, signal))
      throw new ProviderFailure('final', 'KeyNotDerived');
    this.#isContextBound = true;
  }

  async #opens(wrapped: Buffer, context: EncryptionContext, signal: AbortSignal): Promise<boolean> {
    try {
      (await this.decrypt(wrapped, context, signal)).fill(0);
      return true;
    } catch (error) {
      if (error instanceof ProviderFailure && error.kind === 'refused') return false;
      throw error;
    }
  }

  #dataKey(context: EncryptionContext, signal: AbortSignal): Promise<Data> {
    return this.#callKey('datakey/plaintext', { context: contextOf(context), bits: 256 }, signal);
  }

  #wrappedOf(ciphertext: unknown): Buffer {
    if (typeof ciphertext !== 'string' || !CIPHERTEXT.test(ciphertext)) throw malformedAnswer();
    this.#newestVersion = Math.max(this.#newestVersion, versionOf(ciphertext));
    return withForm('transit', Buffer.from(ciphertext, 'latin1'));
  }

  async #callKey(operation: string, body: object, signal: AbortSignal): Promise<Data> {
    const { mount, keyName } = this.settings;
    const { data } = await this.#post(`${mount}/${operation}/${encodeURIComponent(keyName)}`, body, signal);
    return data ?? {};
  }

  /** A refused token is replaced once; a policy that denies the call refuses the next one, too. */
  async #post(path: string, body: object, signal: AbortSignal) {
    const token = await this.#session.token(signal);
    try {
      return await this.#client.post(path, body, token, signal);
    } catch (error) {
      if (!(error instanceof VaultRefusal && error.status === 403)) throw translated(error);
      this.#session.forget(token);
    }
    const next = await this.#session.token(signal);
    return this.#client.post(path, body, next, signal).catch((error: unknown) => {
      throw translated(error);
    });
  }
}

function translated(error: unknown): unknown {
  if (!(error instanceof VaultRefusal)) return error;
  const isRefused = error.messages.some((message) => REFUSED_CIPHERTEXT.some((known) => known.test(message)));
  return isRefused ? new ProviderFailure('refused', 'InvalidCiphertext') : failureOf(error);
}

/** In base64; never empty, which a derived key refuses. */
function contextOf(context: EncryptionContext): string {
  return lengthPrefixed('vk/v1/kms/context', ...encodedContext(context)).toString('base64');
}

/** 0 for another text. */
function versionOf(ciphertext: string): number {
  return Number(CIPHERTEXT.exec(ciphertext)?.[1] ?? 0);
}

/** The string that it comes from cannot be wiped. */
function bytesOf(text: unknown, length?: number): Buffer {
  const bytes = typeof text === 'string' ? decodeBase64(text) : undefined;
  if (!bytes || bytes.length === 0 || bytes.length !== (length ?? bytes.length)) throw malformedAnswer();
  return bytes;
}
