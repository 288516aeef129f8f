import { Injectable, Logger } from '@nestjs/common';
import {
  AppError,
  serviceContext,
  type Actor,
  type ActorSummary,
  type CallContext,
} from '@vaultsvc/contracts';
import { ACTORS_MAX, describeActors } from '@vaultsvc/contracts/auth';
import { Bus, ServiceUnavailable } from '@vaultsvc/messaging';

/** A Spark or link with its creator, whose exact form is stored where its id alone does not name it. */
export interface CreatedRow {
  readonly id: string;
  readonly creator_id: string | null;
  readonly creator: Actor | null;
}

/**
 * Presents the creators of Sparks and links to their account, with the names that auth has of them now. While auth is down,
 * they have none.
 */
@Injectable()
export class CreatorPresenter {
  readonly #logger = new Logger('creators');

  constructor(private readonly bus: Bus) {}

  /** By the id of the row. A row of an earlier release is omitted. */
  async present(
    rows: readonly CreatedRow[],
    accountId: string,
    context: CallContext,
  ): Promise<ReadonlyMap<string, ActorSummary>> {
    const actors = rows.flatMap((row) => {
      const actor = actorOfRow(row);
      return actor ? [[row.id, actor] as const] : [];
    });
    const ids = [...new Set(actors.flatMap(([, actor]) => namedIdOf(actor)))];
    const names = await this.#namesOf(ids, accountId, context);
    return new Map(actors.map(([id, actor]) => [id, { ...actor, name: names.get(actor.id) ?? null }]));
  }

  async #namesOf(
    ids: readonly string[],
    accountId: string,
    context: CallContext,
  ): Promise<ReadonlyMap<string, string>> {
    const chunks: string[][] = [];
    for (let start = 0; start < ids.length; start += ACTORS_MAX)
      chunks.push(ids.slice(start, start + ACTORS_MAX));
    const named = await Promise.all(chunks.map((actorIds) => this.#describe(actorIds, accountId, context)));
    return new Map(named.flat().map(({ actor_id, label }) => [actor_id, label]));
  }

  async #describe(actor_ids: string[], account_id: string, context: CallContext) {
    const body = { account_id, actor_ids };
    try {
      return (await this.bus.call(describeActors, { body }, serviceContext(context))).actors;
    } catch (error) {
      if (!(error instanceof AppError && error.cause instanceof ServiceUnavailable)) throw error;
      this.#logger.warn({ msg: 'creators lack names', service: error.cause.service });
      return [];
    }
  }
}

function actorOfRow({ creator_id: id, creator }: CreatedRow): Actor | undefined {
  if (creator !== null) return creator;
  if (id === null) return undefined;
  if (id.startsWith('usr_')) return { kind: 'person', id };
  return id.startsWith('key_') ? { kind: 'api_key', id } : { kind: 'visitor', id };
}

function namedIdOf({ kind, id }: Actor): string[] {
  return kind === 'person' || kind === 'api_key' ? [id] : [];
}
