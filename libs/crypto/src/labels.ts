/**
 * The labels that separate one use of a key from every other. They are part of every stored format: a label is added
 * for a new use and never changed. `/v1/` is the format's version, authenticated with the rest of the label.
 */
export type Label =
  /** The vault key, wrapped by the holder of a VMK, DVAK or VAT. */
  | `vk/v1/vault-key/${'vmk' | 'dvak' | 'vat'}`
  /** A file version's key, wrapped by the vault key, by a one-time bearer secret, or by the vault's share key. */
  | `vk/v1/file-key/${'vk' | 'istk' | 'upload' | 'link' | 'share'}`
  /** One attempt at a chunk; the list of a file's chunks. */
  | 'vk/v1/chunk'
  | 'vk/v1/manifest'
  /** A structured ingot's key, wrapped; its values and the names of its keys, sealed; the blind index of these names. */
  | `vk/v1/struct-${'key' | 'value' | 'name' | 'index'}`
  /** A Spark's own key, wrapped by the key of the hour; a Spark's content, sealed by its own key. */
  | 'vk/v1/epoch-key'
  | 'vk/v1/spark-dek'
  /** Whatever else a service seals under a data key of that purpose: `vk/v1/sealed/links`, `…/oauth`, `…/signing`. */
  | `vk/v1/sealed/${string}`
  | 'vk/v1/cursor'
  | 'vk/v1/refresh'
  /** The token by which an account proves in DNS that it controls a domain. */
  | 'vk/v1/domain'
  /** A one-time code of six digits, as it is kept: by itself it would be found in a dump at once. */
  | 'vk/v1/one-time-code'
  /** What a value of random data is bound to in the audit trail. */
  | 'vk/v1/entropy'
  | 'vk/v1/context';
