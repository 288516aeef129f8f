import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { KmsError } from './kms-error.ts';

/** The aliases of the emulator: one for data keys, one for shared vaults. */
export const ALIASES = ['alias/vk-root', 'alias/vk-system'];

const ARN_PREFIX = 'arn:aws:kms:local:000000000000:';
const FORMAT_VERSION = 1;
const ID_BYTES = 36;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + ID_BYTES + NONCE_BYTES;

interface MasterKey {
  id: string;
  alias: string;
  material: Buffer;
}

export interface FoundKey extends MasterKey {
  arn: string;
}

/** A key as the file has it: its material in base64. */
interface StoredKey {
  id: string;
  alias: string;
  material: string;
}

/** Master keys in a file of mode 0600, created at the first start. Ciphertext: version | key id | nonce | text | tag. */
export class MasterKeys {
  #keys: readonly MasterKey[];

  constructor(keys: readonly MasterKey[]) {
    this.#keys = keys;
  }

  /** Reads or creates the file. Throws when other users may read it, or when it has another format. */
  static open(file: string): MasterKeys {
    if (!existsSync(file))
      writePrivately(file, JSON.stringify({ version: 1, keys: ALIASES.map(newKey) }, null, 2));
    if ((statSync(file).mode & 0o077) !== 0)
      throw new Error(`${file} is readable by other users: chmod 600 it`);
    return new MasterKeys(parseState(file));
  }

  /** The key named by an id, alias or ARN; NotFoundException otherwise. */
  find(name: unknown): FoundKey {
    if (typeof name !== 'string' || name === '')
      throw new KmsError('ValidationException', 'KeyId is required');
    const local = name.startsWith(ARN_PREFIX) ? name.slice(ARN_PREFIX.length).replace(/^key\//, '') : name;
    const key = this.#keys.find(({ id, alias }) => id === local || alias === local);
    if (!key) throw new KmsError('NotFoundException', `Key '${name}' does not exist`);
    return { ...key, arn: `${ARN_PREFIX}key/${key.id}` };
  }

  seal(key: MasterKey, plaintext: Buffer, aad: Buffer): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key.material, nonce, { authTagLength: TAG_BYTES }).setAAD(
      aad,
    );
    const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return Buffer.concat([
      Buffer.from([FORMAT_VERSION]),
      Buffer.from(key.id),
      nonce,
      text,
      cipher.getAuthTag(),
    ]);
  }

  /** The key that encrypted a blob, by its header. Throws InvalidCiphertextException for another blob. */
  keyOf(blob: Buffer): MasterKey {
    if (blob.length <= HEADER_BYTES + TAG_BYTES || blob[0] !== FORMAT_VERSION) throw invalidCiphertext();
    const id = blob.toString('latin1', 1, 1 + ID_BYTES);
    const key = this.#keys.find((candidate) => candidate.id === id);
    if (!key) throw invalidCiphertext();
    return key;
  }

  /** Decrypts a blob with the key of its header. Throws InvalidCiphertextException on any failure. */
  open(blob: Buffer, aad: Buffer): { key: FoundKey; plaintext: Buffer } {
    const key = this.keyOf(blob);
    return { key: this.find(key.id), plaintext: decrypt(key, blob, aad) };
  }
}

function decrypt(key: MasterKey, blob: Buffer, aad: Buffer): Buffer {
  const nonce = blob.subarray(1 + ID_BYTES, HEADER_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key.material, nonce, { authTagLength: TAG_BYTES }).setAAD(
    aad,
  );
  decipher.setAuthTag(blob.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(blob.subarray(HEADER_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
}

function invalidCiphertext() {
  return new KmsError('InvalidCiphertextException');
}

function newKey(alias: string): StoredKey {
  return { id: randomUUID(), alias, material: randomBytes(32).toString('base64') };
}

// Atomic by a rename, so that a crash leaves no incomplete key file.
function writePrivately(file: string, text: string) {
  const draft = `${file}.${randomUUID()}.draft`;
  const descriptor = openSync(draft, 'wx', 0o600);
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(draft, file);
}

function parseState(file: string): MasterKey[] {
  const state = parseJson(readFileSync(file, 'utf8'));
  if (!isState(state)) throw new Error(`${file} is not a key file of this emulator`);
  return state.keys.map(({ id, alias, material }) => ({
    id,
    alias,
    material: Buffer.from(material, 'base64'),
  }));
}

function isState(state: unknown): state is { version: 1; keys: StoredKey[] } {
  if (!isObject(state) || state['version'] !== 1 || !Array.isArray(state['keys'])) return false;
  return state['keys'].every(
    (key: unknown) =>
      isObject(key) && ['id', 'alias', 'material'].every((name) => typeof key[name] === 'string'),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller reports it with the name of the file.
  }
}
