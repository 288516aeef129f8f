import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { listKindling, type KindlingPart } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { SparkLister } from './spark-lister.js';

/** The part of a kindling's list that this shard has, for the shard of the kindling. */
@Controller()
export class ListKindling {
  constructor(private readonly lister: SparkLister) {}

  @Handles(listKindling)
  async handle({ body }: Input<typeof listKindling>, context: CallContext): Promise<KindlingPart> {
    const listing = { ...body, cursor: body.after };
    return { sparks: [...(await this.lister.list(listing, body.account_id, context))] };
  }
}
