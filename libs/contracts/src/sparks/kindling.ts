import { IdOf, Int, ListOf, Nested, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { EVERY_SHARD } from '../core/shards.js';
import { Spark } from './spark.js';

/** Body of `joinKindling`. */
export class KindlingJoin {
  @IdOf('kdl') kindling: string;
  @IdOf('acc', {
    description: 'The account that adds a Spark to the group, of another shard than the kindling.',
  })
  account_id: string;
}

/** The shard is recorded. */
export class JoinedKindling {}

/**
 * Records at the shard of a kindling that an account of another shard adds a Spark to it, so that lists of the kindling ask that shard, too.
 * The Spark itself is stored with its account. KINDLING_NOT_FOUND for an unknown kindling.
 */
export const joinKindling = operation({
  name: 'sparks.join-kindling',
  summary: 'Records that another shard has Sparks of a kindling.',
  access: 'internal',
  callers: ['sparks'],
  shardBy: 'kindling',
  body: KindlingJoin,
  reply: JoinedKindling,
  errors: ['KINDLING_NOT_FOUND', 'BUSY'],
  repeatable: true,
});

/** Body of `listKindling`. */
export class KindlingQuery {
  @IdOf('kdl') kindling: string;
  @IdOf('acc', { description: 'The account that lists: of its own Sparks it sees labels and creators.' })
  account_id: string;
  @OneOf(['active', 'ash'], { optional: true, description: 'Only Sparks of this status.' })
  status?: 'active' | 'ash';
  @Int({ min: 1, max: 500 }) limit: number;
  @Text({ max: 2_048, optional: true, description: 'The position after which the page begins.' })
  after?: string;
}

/** A Spark, and its position in a list of which several shards have parts. */
export class PositionedSpark {
  @Text({ max: 64, description: 'When it was created, to the microsecond, as PostgreSQL writes it in UTC.' })
  created_at: string;
  @Nested(() => Spark) spark: Spark;
}

/** The Sparks of a kindling on one shard. */
export class KindlingPart {
  @ListOf(() => PositionedSpark, {
    max: 501,
    description: 'Newest first; one more than asked for, if there are more.',
  })
  sparks: PositionedSpark[];
}

/** Reads the part of a kindling's list that one shard has. */
export const listKindling = operation({
  name: 'sparks.list-kindling',
  summary: 'Lists the Sparks of a kindling that one shard has.',
  access: 'internal',
  callers: ['sparks'],
  shardBy: EVERY_SHARD,
  body: KindlingQuery,
  reply: KindlingPart,
  errors: ['BUSY'],
  repeatable: true,
});
