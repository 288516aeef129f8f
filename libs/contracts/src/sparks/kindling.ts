import { IdOf, Int, ListOf, Nested, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { Spark } from './spark.js';

/** Body of `joinKindling`. */
export class KindlingMember {
  @IdOf('kdl') kindling: string;
  @IdOf('acc', {
    description: 'The account that adds a Spark to the group, of another shard than the group.',
  })
  account_id: string;
}

/** The shard of the group knows that of the account now. */
export class JoinedKindling {}

/**
 * Notes at the shard of a group that an account of another shard adds a Spark to it, so that lists of the group ask there, too. The Spark
 * itself is stored with its account. KINDLING_NOT_FOUND for an unknown group.
 */
export const joinKindling = operation({
  name: 'sparks.join-kindling',
  summary: 'Notes that another shard has Sparks of a group.',
  access: 'internal',
  callers: ['sparks'],
  shardBy: 'kindling',
  body: KindlingMember,
  reply: JoinedKindling,
  errors: ['KINDLING_NOT_FOUND'],
  repeatable: true,
});

/** Body of `listKindling`. */
export class KindlingPage {
  @IdOf('kdl') kindling: string;
  @IdOf('acc', { description: 'The account that lists: of its own Sparks it sees labels and creators.' })
  account_id: string;
  @OneOf(['active', 'ash'], { optional: true, description: 'Only Sparks of this status.' })
  status?: 'active' | 'ash';
  @Int({ min: 1, max: 500 }) limit: number;
  @Text({ max: 2_048, optional: true, description: 'The position after which the page begins.' })
  after?: string;
}

/** A Spark of a list that several shards contribute to. */
export class PlacedSpark {
  @Text({ max: 64, description: 'When it was created, to the microsecond, as PostgreSQL writes it in UTC.' })
  created_at: string;
  @Nested(() => Spark) spark: Spark;
}

/** The Sparks of a group on one shard. */
export class KindlingShard {
  @ListOf(() => PlacedSpark, {
    max: 501,
    description: 'Newest first; one more than asked for, if there are more.',
  })
  sparks: PlacedSpark[];
}

/** Reads the part of a group's list that one shard has. */
export const listKindling = operation({
  name: 'sparks.list-kindling',
  summary: 'Lists the Sparks of a group that one shard has.',
  access: 'internal',
  callers: ['sparks'],
  body: KindlingPage,
  reply: KindlingShard,
  repeatable: true,
});
