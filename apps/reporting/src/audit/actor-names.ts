import { Injectable, Logger } from '@nestjs/common';
import { AppError, serviceContext, type AccountContext } from '@vaultsvc/contracts';
import { ACTORS_MAX, describeActors } from '@vaultsvc/contracts/auth';
import { Bus, ServiceUnavailable } from '@vaultsvc/messaging';

/** Reads names of actors from auth when they are shown: the chain has ids only, because a name would outlive its user. */
@Injectable()
export class ActorNames {
  readonly #logger = new Logger('audit');

  constructor(private readonly bus: Bus) {}

  /** By the id of the actor. Ids without a name are omitted: removed users, others than users and keys, and all while auth is down. */
  async find(actorIds: Iterable<string>, context: AccountContext): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(actorIds)];
    const chunks: string[][] = [];
    for (let start = 0; start < ids.length; start += ACTORS_MAX)
      chunks.push(ids.slice(start, start + ACTORS_MAX));
    const named = await Promise.all(chunks.map((chunk) => this.#describe(chunk, context)));
    return new Map(named.flat().map(({ actor_id, label }) => [actor_id, label]));
  }

  async #describe(actor_ids: string[], context: AccountContext) {
    const body = { account_id: context.credential.accountId, actor_ids };
    try {
      return (await this.bus.call(describeActors, { body }, serviceContext(context))).actors;
    } catch (error) {
      if (!(error instanceof AppError && error.cause instanceof ServiceUnavailable)) throw error;
      this.#logger.warn({ msg: 'entries lack names', service: error.cause.service });
      return [];
    }
  }
}
