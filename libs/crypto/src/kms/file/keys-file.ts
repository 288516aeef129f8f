import { randomBytes, scrypt } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { openContent, sealContent } from '../../aead/index.js';
import { decodeBase64 } from '../../encoding/index.js';

const LABEL = 'vk/v1/kms/keys-file';
const derive = promisify<Buffer, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

/** One of OWASP's equal choices for scrypt: 32 MiB, about 0.2 s. */
const COST: Cost = { N: 2 ** 15, r: 8, p: 3 };
const MEMORY_BYTES_MAX = 256 * 1_048_576;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const ID_BYTES = 8;
/** Of random characters; the passphrase is for programs, not for people. */
const PASSPHRASE_BYTES_MIN = 16;

/** A version of the key of a file. */
export interface KeyVersion {
  /** 8 random bytes in hex, which a ciphertext names. */
  readonly id: string;
  readonly createdAt: string;
  readonly material: Buffer;
}

/** Keys by name, each with its versions, the newest last. */
export type NamedVersions = Readonly<Record<string, readonly KeyVersion[]>>;

/** The text is no keys file, or of another version. */
export class NoKeysFile extends Error {
  override readonly name = 'NoKeysFile';

  constructor() {
    super('is no keys file of vaultsvc');
  }
}

/** A new key for each name. */
export function newKeys(names: readonly string[]): NamedVersions {
  return Object.fromEntries(names.map((name) => [name, [newVersion()]]));
}

/** The keys with one more version each, which wraps from now on. */
export function rotated(keys: NamedVersions): NamedVersions {
  return mapVersions(keys, (versions) => [...versions, newVersion()]);
}

/** The keys with their newest version alone. What older ones have wrapped can never be opened again. */
export function retired(keys: NamedVersions): NamedVersions {
  return mapVersions(keys, (versions) => versions.slice(-1));
}

function mapVersions(
  keys: NamedVersions,
  change: (versions: readonly KeyVersion[]) => readonly KeyVersion[],
): NamedVersions {
  return Object.fromEntries(Object.entries(keys).map(([name, versions]) => [name, change(versions)]));
}

function newVersion(): KeyVersion {
  return {
    id: randomBytes(ID_BYTES).toString('hex'),
    createdAt: new Date().toISOString(),
    material: randomBytes(KEY_BYTES),
  };
}

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

interface Kdf extends Cost {
  readonly name: 'scrypt';
  readonly salt: string;
}

interface Sealed {
  readonly format: 'vaultsvc-kms-keys';
  readonly version: 1;
  readonly kdf: Kdf;
  readonly sealed: string;
}

/** As `NamedVersions`, with the material in base64. */
type Stored = Readonly<Record<string, readonly { id: string; createdAt: string; material: string }[]>>;

/**
 * Seals keys by a passphrase: scrypt, then AES-256-GCM with a commitment (`sealContent`).
 * @param cost of scrypt, which the file keeps
 * @throws RangeError for a short passphrase
 */
export async function sealKeysFile(
  keys: NamedVersions,
  passphrase: Buffer,
  cost: Cost = COST,
): Promise<string> {
  assertStrong(passphrase);
  const kdf = { name: 'scrypt', ...cost, salt: randomBytes(SALT_BYTES).toString('base64') } as const;
  const key = await deriveKey(passphrase, kdf);
  const plaintext = Buffer.from(
    JSON.stringify(withMaterial(keys, (material) => material.toString('base64'))),
  );
  const sealed = sealContent(key, LABEL, [], plaintext).toString('base64');
  key.fill(0);
  plaintext.fill(0);
  const file: Sealed = { format: 'vaultsvc-kms-keys', version: 1, kdf, sealed };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/**
 * Opens the output of `sealKeysFile`.
 * @throws NoKeysFile for another text
 * @throws WrongKey for another passphrase, Tampered for changed bytes
 */
export async function openKeysFile(text: string, passphrase: Buffer): Promise<NamedVersions> {
  const { kdf, sealed } = parse(text);
  const key = await deriveKey(passphrase, kdf);
  try {
    const plaintext = openContent(key, LABEL, [], bytesOf(sealed));
    const stored = JSON.parse(plaintext.toString('utf8')) as Stored;
    plaintext.fill(0);
    return withMaterial(stored, bytesOf);
  } finally {
    key.fill(0);
  }
}

function deriveKey(passphrase: Buffer, { N, r, p, salt }: Kdf): Promise<Buffer> {
  return derive(passphrase, bytesOf(salt), KEY_BYTES, { N, r, p, maxmem: MEMORY_BYTES_MAX });
}

function withMaterial<From, To>(
  keys: Readonly<Record<string, readonly { id: string; createdAt: string; material: From }[]>>,
  convert: (material: From) => To,
) {
  const entries = Object.entries(keys).map(([name, versions]) => {
    const converted = versions.map((version) => ({ ...version, material: convert(version.material) }));
    return [name, converted] as const;
  });
  return Object.fromEntries(entries);
}

/** Writes a file atomically, with access for its owner alone: a reader finds either the old keys or the new ones. */
export async function writeKeysFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  // The rename, too: keys that only the page cache has would be lost with all that they wrapped.
  const folder = await open(dirname(path));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The passphrase in a file: the last line break of an editor is not part of it. */
export function passphraseOf(content: Buffer): Buffer {
  const text = content.at(-1) === 0x0a ? content.subarray(0, -1) : content;
  return text.at(-1) === 0x0d ? text.subarray(0, -1) : text;
}

function assertStrong(passphrase: Buffer): void {
  if (passphrase.length < PASSPHRASE_BYTES_MIN)
    throw new RangeError(`the passphrase must have ${PASSPHRASE_BYTES_MIN} bytes at least`);
}

function parse(text: string): Sealed {
  let file: Partial<Sealed>;
  try {
    file = JSON.parse(text) as Partial<Sealed>;
  } catch {
    throw new NoKeysFile();
  }
  if (file?.format !== 'vaultsvc-kms-keys' || file.version !== 1 || file.kdf?.name !== 'scrypt')
    throw new NoKeysFile();
  return file as Sealed;
}

function bytesOf(text: unknown): Buffer {
  const bytes = typeof text === 'string' ? decodeBase64(text) : undefined;
  if (!bytes) throw new NoKeysFile();
  return bytes;
}
