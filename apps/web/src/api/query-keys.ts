/** Keys of queries that more than one place changes; those of one place are in the place. */
export const queryKeys = {
  /** Sparks and their links. */
  sent: ['sent'],
  people: ['people'],
  /** Pools and figures; bought seats and blocks change the pools. */
  usage: ['usage'],
} as const;
