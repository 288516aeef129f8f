/**
 * Domain separation: every use of a key has a label of its own. Labels are part of all stored formats, so a new use adds a
 * label and existing labels never change. `/v1/` is the version of the format, authenticated with the rest of the label.
 */
export type Label =
  /** The vault key, wrapped under a VMK, DVAK or VAT. */
  | `vk/v1/vault-key/${'vmk' | 'dvak' | 'vat'}`
  /** The key of a file version, wrapped under the vault key, a one-time bearer secret, or the share key of the vault. */
  | `vk/v1/file-key/${'vk' | 'istk' | 'upload' | 'link' | 'share'}`
  /** The key of one attempt at a chunk. */
  | 'vk/v1/chunk'
  /** The MAC of a manifest row. */
  | 'vk/v1/manifest'
  /** The SHA-256 of the plaintext of a chunk, and that of a whole version. */
  | `vk/v1/${'chunk' | 'content'}-hash`
  /** A structured ingot: its wrapped key, its sealed values, its sealed key names, the blind index of these names. */
  | `vk/v1/struct-${'key' | 'value' | 'name' | 'index'}`
  /** The key of a Spark, wrapped under the key of the hour. */
  | 'vk/v1/epoch-key'
  /** The content of a Spark, sealed under its key. */
  | 'vk/v1/spark-dek'
  /** The content of a Spark, sealed under the key of the hour and a half of its own. */
  | 'vk/v1/spark-content'
  /** The content of a send, sealed once under a key of its own; that key, sealed in each recipient's Spark. */
  | `vk/v1/shared-${'content' | 'content-key'}`
  /** A root key in a file, sealed by a passphrase; a data key wrapped by it; the context of a derived key of Vault. */
  | `vk/v1/kms/${'keys-file' | 'data-key' | 'context'}`
  /** Other content sealed under a data key of this purpose: `vk/v1/sealed/links`, `vk/v1/sealed/signing`. */
  | `vk/v1/sealed/${string}`
  /** List cursors. */
  | 'vk/v1/cursor'
  /** Refresh tokens. */
  | 'vk/v1/refresh'
  /** The DNS token by which an account proves control of a domain. */
  | 'vk/v1/domain'
  /** The token of an unsubscribe link. */
  | 'vk/v1/unsubscribe'
  /** Stored one-time codes. A plain hash of six digits could be inverted by trying all of them. */
  | 'vk/v1/one-time-code'
  /** The identity or address for which one-time codes are found and counted. */
  | 'vk/v1/code-subject'
  /** The identity of an account's recipient for which a passkey is stored. */
  | 'vk/v1/passkey-subject'
  /** The commitment to a random value in the audit trail. */
  | 'vk/v1/entropy'
  /** A part of a segment of the audit archive. */
  | 'vk/v1/audit-segment'
  /** Records in Redis: credentials, and pool snapshots of accounts. */
  | `vk/v1/record/${'credential' | 'pools'}`
  /** The content of a request with an Idempotency-Key, and the key of the hour under which it is compared. */
  | `vk/v1/idempotency/${'request' | 'hour'}`
  /** A call from one service to another, and its reply. */
  | 'vk/v1/call'
  | 'vk/v1/reply'
  /** The same as binary frames. */
  | 'vk/v1/call-frame'
  | 'vk/v1/reply-frame'
  /** A batch of events from one service to another. */
  | 'vk/v1/events';
