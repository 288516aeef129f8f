/** The prefixes of ids (ENV-18, ENV-19). Some ids are capabilities (a Spark of a kindling), so all hold 131 bits. */
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
  invoice: 'in',
  paymentMethod: 'pm',
  checkout: 'cs',
} as const;

export type IdPrefix = (typeof idPrefixes)[keyof typeof idPrefixes];

/** Base62 characters after the prefix; 22 of them hold 131 bits. */
export const ID_CHARACTERS = 22;

/** Ids of accounts, and of what a shard of them holds, end in two characters of the shard, unless it is the first (ADR 61). */
const withShard: readonly IdPrefix[] = ['acc', 'spk', 'kdl'];

/** The pattern of ids with this prefix, for path parameters and JSON Schema. */
export function idPattern(prefix: IdPrefix): RegExp {
  const shard = withShard.includes(prefix) ? '(?:[0-9A-Za-z]{2})?' : '';
  return new RegExp(`^${prefix}_[0-9A-Za-z]{${ID_CHARACTERS}}${shard}$`);
}

/** The pattern of SparkLink codes (ENV-18). */
export const LINK_CODE_PATTERN = /^[A-Za-z0-9_-]{8,64}$/;
