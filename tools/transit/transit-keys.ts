import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { writePrivateJson } from '../stack/private-files.ts';
import { VaultError } from './vault-error.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHERTEXT = /^vault:v(\d{1,9}):([A-Za-z0-9+/]+={0,2})$/;

interface TransitKey {
  /** Whether each context has a key of its own. Otherwise a context is ignored, as by Vault. */
  derived: boolean;
  min_decryption_version: number;
  /** In base64, the first version first. */
  versions: string[];
}

type State = Record<string, TransitKey>;

/** Keys of type aes256-gcm96, in a file of mode 0600 that is created at the first start. */
export class TransitKeys {
  readonly #file: string;
  readonly #keys: State;

  /** @throws when other users may read the file */
  constructor(file: string) {
    this.#file = file;
    if (!existsSync(file)) writePrivateJson(file, initialState());
    if ((statSync(file).mode & 0o077) !== 0)
      throw new Error(`${file} is readable by other users: chmod 600 it`);
    this.#keys = JSON.parse(readFileSync(file, 'utf8'));
  }

  /** @throws VaultError */
  encrypt(name: string, plaintext: Buffer, context: Buffer) {
    const key = this.find(name);
    const version = key.versions.length;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', materialOf(key, version, context), nonce, {
      authTagLength: TAG_BYTES,
    });
    const text = Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
    return { ciphertext: `vault:v${version}:${text.toString('base64')}`, key_version: version };
  }

  /** @throws VaultError */
  decrypt(name: string, ciphertext: unknown, context: Buffer): Buffer {
    const key = this.find(name);
    if (typeof ciphertext !== 'string' || ciphertext === '')
      throw new VaultError(400, 'missing ciphertext to decrypt');
    const [, number = '', text = ''] = CIPHERTEXT.exec(ciphertext) ?? [];
    const version = Number(number);
    if (!text) throw new VaultError(400, 'invalid ciphertext: no prefix');
    if (version > key.versions.length) throw new VaultError(400, 'invalid ciphertext: version is too new');
    if (version < key.min_decryption_version)
      throw new VaultError(400, 'ciphertext or signature version is disallowed by policy (too old)');
    return open(materialOf(key, version, context), Buffer.from(text, 'base64'));
  }

  rotate(name: string) {
    this.find(name).versions.push(newMaterial());
    writePrivateJson(this.#file, this.#keys);
  }

  /** @param version ciphertexts of older ones are refused */
  retire(name: string, version: number) {
    this.find(name).min_decryption_version = version;
    writePrivateJson(this.#file, this.#keys);
  }

  /** @throws VaultError */
  find(name: string): TransitKey {
    const key = Object.hasOwn(this.#keys, name) ? this.#keys[name] : undefined;
    if (!key) throw new VaultError(400, 'encryption key not found');
    return key;
  }
}

/** Two derived keys as deployments have them, and one that is not derived. */
function initialState(): State {
  const key = (derived: boolean) => ({ derived, min_decryption_version: 1, versions: [newMaterial()] });
  return { 'vk-root': key(true), 'vk-system': key(true), 'vk-plain': key(false) };
}

function newMaterial() {
  return randomBytes(32).toString('base64');
}

function materialOf({ derived, versions }: TransitKey, version: number, context: Buffer): Buffer {
  const material = Buffer.from(versions[version - 1] ?? '', 'base64');
  if (!derived) return material;
  if (context.length === 0) throw new VaultError(400, "missing 'context' for key derivation");
  const info = context.subarray(0, 1_024); // Node's limit; contexts of the product are shorter
  return Buffer.from(hkdfSync('sha256', material, Buffer.alloc(0), info, 32));
}

function open(key: Buffer, sealed: Buffer): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    }).setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new VaultError(400, 'invalid ciphertext: unable to decrypt');
  }
}
