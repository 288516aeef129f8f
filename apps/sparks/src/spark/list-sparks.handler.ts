import { Controller, Inject } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import {
  listKindling,
  listSparks,
  type PlacedSpark,
  type SparkList,
  type SparkListQuery,
} from '@vaultsvc/contracts/sparks';
import { toPage } from '@vaultsvc/database';
import { Bus, Handles } from '@vaultsvc/messaging';
import { HELD_SHARDS } from '@vaultsvc/service';
import { KindlingRepository } from '../kindling/kindling.repository.js';
import { SparkLister } from './spark-lister.js';

@Controller()
export class ListSparks {
  constructor(
    private readonly lister: SparkLister,
    private readonly groups: KindlingRepository,
    private readonly bus: Bus,
    @Inject(HELD_SHARDS) private readonly heldShards: readonly number[],
  ) {}

  /** The Sparks of an account are on its shard; those of a group are with their accounts, and its shard knows where. */
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
  ): Promise<(readonly PlacedSpark[])[]> {
    const shards = (await this.groups.joinedShards(kindling)).filter((one) => !this.heldShards.includes(one));
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

/** Newest first. Two shards may share a database, which then names each Spark twice. */
function merge(lists: readonly (readonly PlacedSpark[])[]): readonly PlacedSpark[] {
  if (lists.length === 1) return lists[0] ?? [];
  const byId = new Map(lists.flat().map((placed) => [placed.spark.spark_id, placed]));
  return [...byId.values()].sort((a, b) => compare(positionOf(b), positionOf(a)));
}

function positionOf({ created_at, spark }: PlacedSpark): [string, string] {
  return [created_at, spark.spark_id];
}

/** As PostgreSQL sorts times and, by the collation "C", ids: the text of a time sorts as the time. */
function compare([aTime, aId]: [string, string], [bTime, bId]: [string, string]): number {
  if (aTime !== bTime) return aTime < bTime ? -1 : 1;
  return aId < bId ? -1 : Number(aId > bId);
}
