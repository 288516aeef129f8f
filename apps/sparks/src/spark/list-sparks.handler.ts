import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import {
  listKindling,
  listSparks,
  type PositionedSpark,
  type SparkList,
  type SparkListQuery,
} from '@vaultsvc/contracts/sparks';
import { toPage } from '@vaultsvc/database';
import { Bus, Handles } from '@vaultsvc/messaging';
import { KindlingRepository } from '../kindling/kindling.repository.js';
import { SparkLister } from './spark-lister.js';

@Controller()
export class ListSparks {
  constructor(
    private readonly lister: SparkLister,
    private readonly kindlings: KindlingRepository,
    private readonly bus: Bus,
  ) {}

  /** The Sparks of an account are on its shard. Those of a kindling are with their accounts; its row records the other shards. */
  @Handles(listSparks)
  async handle({ query }: Input<typeof listSparks>, context: AccountContext): Promise<SparkList> {
    const { accountId } = context.credential;
    const [own, others] = await Promise.all([
      this.lister.list(query, accountId, context),
      query.kindling === undefined
        ? []
        : this.#listElsewhere({ ...query, kindling: query.kindling }, context),
    ]);
    const { rows, ...page } = toPage(merge([own, ...others]), query.limit, positionOf);
    return { sparks: rows.map(({ spark }) => spark), ...page };
  }

  async #listElsewhere(
    { kindling, status, limit, cursor }: Elsewhere,
    context: AccountContext,
  ): Promise<(readonly PositionedSpark[])[]> {
    const shards = await this.kindlings.joinedShards(kindling);
    const body = {
      kindling,
      account_id: context.credential.accountId,
      limit,
      ...(status !== undefined && { status }),
      ...(cursor !== undefined && { after: cursor }),
    };
    const lists = shards.map((shard) => this.bus.callShard(listKindling, { body }, context, shard));
    return (await Promise.all(lists)).map(({ sparks }) => sparks);
  }
}

type Elsewhere = SparkListQuery & { readonly kindling: string };

/** Newest first. */
function merge(lists: readonly (readonly PositionedSpark[])[]): readonly PositionedSpark[] {
  if (lists.length === 1) return lists[0] ?? [];
  return lists.flat().sort((a, b) => compare(positionOf(b), positionOf(a)));
}

function positionOf({ created_at, spark }: PositionedSpark): [string, string] {
  return [created_at, spark.spark_id];
}

/** As PostgreSQL sorts times and, by the collation "C", ids: a time in UTC sorts as its text. */
function compare([aTime, aId]: [string, string], [bTime, bId]: [string, string]): number {
  if (aTime !== bTime) return aTime < bTime ? -1 : 1;
  return aId < bId ? -1 : Number(aId > bId);
}
