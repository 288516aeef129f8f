// @ts-nocheck
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

/** Master keys in a file of mode 0600, created at the first start. Ciphertext: version | key id | nonce | text | tag. */
export class MasterKeys {
  #keys;

  constructor(keys) {
    this.#keys = keys;
  }

  /** Reads or creates the file. Throws when other users may read it, or when it has another format. */
  static open(file) {
    if (!existsSync(file))
      writePrivately(file, JSON.stringify({ version: 1, keys: ALIASES.map(newKey) }, null, 2));
    if ((statSync(file).mode & 0o077) !== 0)
      throw new Error(`${file} is readable by other users: chmod 600 it`);
    return new MasterKeys(parseState(file));
  }

  /** The key named by an id, alias or ARN; NotFoundException otherwise. */
  find(name) {
    if (typeof name !== 'string' || name === '')
      throw new KmsError('ValidationException', 'KeyId is required');
    const local = name.startsWith(ARN_PREFIX) ? name.slice(ARN_PREFIX.length).replace(/^key\//, '') : name;
    const key = this.#keys.find(({ id, alias }) => id === local || alias === local);
    if (!key) throw new KmsError('NotFoundException', `Key '${name}' does not exist`);
    return { ...key, arn: `${ARN_PREFIX}key/${key.id}` };
  }

  seal(key, plaintext, aad) {
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
  keyOf(blob) {
    if (blob.length <= HEADER_BYTES + TAG_BYTES || blob[0] !== FORMAT_VERSION) throw invalidCiphertext();
    const id = blob.toString('latin1', 1, 1 + ID_BYTES);
    const key = this.#keys.find((candidate) => candidate.id === id);
    if (!key) throw invalidCiphertext();
    return key;
  }

  /** Decrypts a blob with the key of its header. Throws InvalidCiphertextException on any failure. */
  open(blob, aad) {
    const key = this.keyOf(blob);
    return { key: this.find(key.id), plaintext: decrypt(key, blob, aad) };
  }
}

function decrypt(key, blob, aad) {
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

function newKey(alias) {
  return { id: randomUUID(), alias, material: randomBytes(32).toString('base64') };
}

// Atomic by a rename, so that a crash leaves no incomplete key file.
function writePrivately(file, text) {
  const draft = `${file}.${randomUUID()}.draft`;
  const descriptor = openSync(draft, 'wx', 0o600);
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(draft, file);
}

function parseState(file) {
  const state = parseJson(readFileSync(file, 'utf8'));
  if (state?.version !== 1 || !Array.isArray(state.keys))
    throw new Error(`${file} is not a key file of this emulator`);
  return state.keys.map(({ id, alias, material }) => ({
    id,
    alias,
    material: Buffer.from(material, 'base64'),
  }));
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The caller reports it with the name of the file.
  }
}
