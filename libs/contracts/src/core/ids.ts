/** Identifier shapes (ENV-18, ENV-19). Ids are capabilities in places (a kindling Spark), so they hold 131 bits. */
export const idPrefixes = {
  apiKey: 'key',
  spark: 'spk',
  kindling: 'kdl',
  vault: 'vlt',
  ingot: 'ing',
  folder: 'fld',
  user: 'usr',
  identity: 'idn',
  account: 'acc',
  transaction: 'txn',
  entropy: 'ent',
  send: 'ntsnd',
  invite: 'inv',
} as const;

export type IdPrefix = (typeof idPrefixes)[keyof typeof idPrefixes];

/** Base62 characters after the prefix: 22 of them carry 131 bits. */
export const ID_CHARACTERS = 22;

/** The exact shape of an id of this kind, for path parameters and JSON Schema. */
export function idPattern(prefix: IdPrefix): RegExp {
  return new RegExp(`^${prefix}_[0-9A-Za-z]{${ID_CHARACTERS}}$`);
}

/** SparkLink code (ENV-18): letters, digits, `_` and `-`. */
export const LINK_CODE_PATTERN = /^[A-Za-z0-9_-]{8,64}$/;
