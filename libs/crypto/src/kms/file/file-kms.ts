import { randomBytes } from 'node:crypto';
import { openContent, sealContent } from '../../aead/index.js';
import { WrongKey } from '../../errors.js';
import { withForm, withoutForm } from '../provider/ciphertext-form.js';
import { encodedContext } from '../provider/encoded-context.js';
import {
  ProviderFailure,
  type EncryptionContext,
  type GeneratedDataKey,
  type GeneratedRandom,
  type KmsProvider,
} from '../provider/provider.js';
import type { FileSettings } from '../provider/settings.js';
import { readGuarded } from './guarded-file.js';
import { openKeysFile, passphraseOf, type KeyVersion } from './keys-file.js';

const ID_BYTES = 8;
const DATA_KEY_BYTES = 32;

/**
 * A key in a file that is sealed by a passphrase, for small installations. The process has the key in memory, and there is no
 * hardware: random data is refused (OPEN-45).
 */
export class FileKms implements KmsProvider {
  #versions: Promise<readonly KeyVersion[]> | undefined;
  /** The text of the file that is loaded. */
  #text = '';
  #isClosed = false;

  constructor(private readonly settings: FileSettings) {}

  generateRandom(): Promise<GeneratedRandom> {
    return Promise.reject(new ProviderFailure('final', 'NoHardwareSource'));
  }

  async generateDataKey(context: EncryptionContext): Promise<GeneratedDataKey> {
    const plaintext = randomBytes(DATA_KEY_BYTES);
    return { plaintext, wrapped: await this.encrypt(plaintext, context) };
  }

  async encrypt(plaintext: Buffer, context: EncryptionContext): Promise<Buffer> {
    const { id, material } = await this.#newest();
    this.#assertOpen();
    const sealed = sealContent(material, 'vk/v1/kms/data-key', this.#fieldsOf(context), plaintext);
    return withForm('file', Buffer.concat([Buffer.from(id, 'hex'), sealed]));
  }

  async decrypt(wrapped: Buffer, context: EncryptionContext): Promise<Buffer> {
    const version = await this.#find(idOf(wrapped));
    this.#assertOpen();
    const sealed = withoutForm('file', wrapped).subarray(ID_BYTES);
    try {
      if (version)
        return openContent(version.material, 'vk/v1/kms/data-key', this.#fieldsOf(context), sealed);
    } catch {
      // Another context, changed bytes and another form are refused alike, as other providers do.
    }
    throw new ProviderFailure('refused', 'InvalidCiphertext');
  }

  async isNewest(wrapped: Buffer): Promise<boolean> {
    return (await this.#newest()).id === idOf(wrapped);
  }

  close(): void {
    this.#isClosed = true;
    void this.#versions?.then(wipe, () => undefined);
  }

  /** Asked at once before each use: a wiped key would be a known one. */
  #assertOpen(): void {
    if (this.#isClosed) throw new ProviderFailure('transient', 'Closed');
  }

  #fieldsOf(context: EncryptionContext): string[] {
    return [this.settings.keyName, ...encodedContext(context)];
  }

  async #newest(): Promise<KeyVersion> {
    const newest = (await this.#load()).at(-1);
    if (!newest) throw new ProviderFailure('transient', 'KeysFileUnreadable');
    return newest;
  }

  /** An unknown version may be newer than the loaded file: another instance, started later, wraps with it already. */
  async #find(id: string): Promise<KeyVersion | undefined> {
    const byId = (versions: readonly KeyVersion[]) => versions.find((version) => version.id === id);
    const found = byId(await this.#load());
    if (found || (await this.#readText()) === this.#text) return found;
    this.#forget();
    return byId(await this.#load());
  }

  #load(): Promise<readonly KeyVersion[]> {
    return (this.#versions ??= this.#open().catch((error: unknown) => {
      this.#forget();
      throw error;
    }));
  }

  #forget(): void {
    this.#versions = undefined;
    this.#text = '';
  }

  async #open(): Promise<readonly KeyVersion[]> {
    const { passphraseFile, isSystemdCredential, keyName } = this.settings;
    const text = await this.#readText();
    const passphrase = await readGuarded(passphraseFile, isSystemdCredential);
    const { [keyName]: versions } = await openKeysFile(text, passphraseOf(passphrase)).catch(refuse);
    passphrase.fill(0);
    if (!versions) throw new ProviderFailure('transient', 'KeyNotInFile');
    this.#text = text;
    return versions;
  }

  async #readText(): Promise<string> {
    return (await readGuarded(this.settings.file)).toString('utf8');
  }
}

function refuse(error: unknown): never {
  const isPassphrase = error instanceof WrongKey;
  throw new ProviderFailure('transient', isPassphrase ? 'WrongPassphrase' : 'KeysFileUnreadable');
}

function idOf(wrapped: Buffer): string {
  return withoutForm('file', wrapped).subarray(0, ID_BYTES).toString('hex');
}

function wipe(versions: readonly KeyVersion[]): void {
  for (const { material } of versions) material.fill(0);
}
