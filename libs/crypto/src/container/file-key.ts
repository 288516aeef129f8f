import { unwrapKey, wrapKey } from '../wrap/wrap.js';

/** The identity of a version. All of its keys are derived with these ids, so no stored part can be moved elsewhere. */
export interface FileIds {
  readonly accountId: string;
  readonly vaultId: string;
  readonly ingotId: string;
  readonly versionId: string;
}

/** One version of the content of an ingot. */
export interface FileVersion extends FileIds {
  /** The length of the plaintext in bytes, fixed when the upload is created: 1 to FILE_BYTES_MAX. */
  readonly bytes: number;
}

const KEY_BYTES = 32;

/** The ids in the order of all derivations. */
export function idsOf({ accountId, vaultId, ingotId, versionId }: FileIds): readonly string[] {
  return [accountId, vaultId, ingotId, versionId];
}

/** @throws RangeError if the key does not have 32 bytes */
export function assertFileKey(fileKey: Buffer): void {
  if (fileKey.length !== KEY_BYTES) throw new RangeError(`A file key has ${KEY_BYTES} bytes`);
}

/** The permissions of an ISTK. All of them are authenticated, so a changed row does not unwrap. */
export interface TransferTerms {
  readonly operation: 'encrypt' | 'decrypt';
  /** Most bytes that the bearer may transfer. */
  readonly bytesMax: number;
  readonly mode: 'once' | 'stream';
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** The secret that wraps a file key: the vault key, an upload_id, the code of a one-time link, a share key, or an ISTK. */
export type FileKeyHolder =
  | { readonly holder: 'vk' | 'upload' | 'link' | 'share' }
  | { readonly holder: 'istk'; readonly terms: TransferTerms };

/**
 * Wraps a file key (32 bytes) for one holder: 129 bytes. Vaults wraps and forge unwraps, so this library defines the order
 * of the fields. The wrap is bound to this version.
 * @throws RangeError if the key does not have 32 bytes
 */
export function wrapFileKey(secret: Buffer, file: FileIds, by: FileKeyHolder, fileKey: Buffer): Buffer {
  return wrapKey(secret, labelOf(by), idsOf(file), attributesOf(by), fileKey);
}

/**
 * Unwraps a file key. The caller wipes it.
 * @throws WrongKey for another secret, version or kind of holder
 * @throws Tampered for other terms or changed bytes
 * @throws UnknownFormat for any other input
 */
export function unwrapFileKey(secret: Buffer, file: FileIds, by: FileKeyHolder, blob: Buffer): Buffer {
  return unwrapKey(secret, labelOf(by), idsOf(file), attributesOf(by), blob);
}

function labelOf({ holder }: FileKeyHolder) {
  return `vk/v1/file-key/${holder}` as const;
}

function attributesOf(by: FileKeyHolder): readonly string[] {
  if (by.holder !== 'istk') return [];
  const { operation, bytesMax, mode, expiresAt } = by.terms;
  return [operation, String(bytesMax), mode, String(expiresAt)];
}
