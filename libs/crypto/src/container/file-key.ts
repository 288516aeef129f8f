import { unwrapKey, wrapKey } from '../wrap/wrap.js';
import { type FileIds, idsOf } from './file-version.js';

/** What the bearer of an ISTK may do. All of it is authenticated: a row that was changed no longer opens. */
export interface TransferTerms {
  readonly operation: 'encrypt' | 'decrypt';
  /** The most bytes that it may move. */
  readonly bytesMax: number;
  readonly mode: 'once' | 'stream';
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** Under whose secret a file's key is wrapped: the vault key, an upload_id, a one-time link's code, a share key, an ISTK. */
export type FileKeyHolder =
  | { readonly holder: 'vk' | 'upload' | 'link' | 'share' }
  | { readonly holder: 'istk'; readonly terms: TransferTerms };

/**
 * Wraps a file's key (32 bytes) for one holder: 129 bytes. Vaults wrap and forge unwraps, so the order of the fields
 * stands here, once. The wrap opens for this version of this file only. Throws RangeError for a key of another length.
 */
export function wrapFileKey(secret: Buffer, file: FileIds, by: FileKeyHolder, fileKey: Buffer): Buffer {
  return wrapKey(secret, labelOf(by), idsOf(file), attributesOf(by), fileKey);
}

/**
 * Opens what `wrapFileKey` made. Throws `WrongKey` for another secret, file or kind of holder, `Tampered` for other
 * terms or changed bytes, `UnknownFormat` for anything else. The caller fills the key with 0 when done.
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
