import { Injectable } from '@nestjs/common';
import { actorOf, type AccountContext } from '@vaultsvc/contracts';
import { sparkRead } from '@vaultsvc/contracts/sparks';
import { Batcher, Database, epochSeconds, namedStatement, statement } from '@vaultsvc/database';
import { actedPayload, actorColumns } from './acted-payload.js';
import { toUnread, unreadColumns, type UnreadRow, type UnreadSpark } from './burning/burn.repository.js';
import { BATCHED_BYTES_MAX } from './spark-batches.js';
import { BURN, isVisibleTo, SPARK_MEMBERS } from './burning/spark-sql.js';

interface Item {
  readonly id: string;
  readonly context: AccountContext;
}

/**
 * Makes a small Spark readable at most once without a lock, while its key is in memory (ADR 26): `find` it, decrypt it at
 * once, `burn` it where it is still unread, disclose it after the commit. The burn decides: of concurrent readers it finds the
 * row for one, and nothing that cannot be opened is burned. Both statements are shared by concurrent readers.
 */
@Injectable()
export class OptimisticBurn {
  readonly #finds = new Batcher<Item, UnreadSpark | undefined>({
    name: 'sparks.find-unread',
    run: (items) => this.#find(items),
  });
  readonly #burns = new Batcher<Item, number | undefined>({
    name: 'sparks.burn-batch',
    run: (items) => this.#burn(items),
  });

  constructor(private readonly database: Database) {}

  /**
   * Undefined for a Spark that this account cannot read, that is spent, locked, of a send, or larger than 32 KiB.
   * @throws DeadlinePassed
   */
  find(id: string, context: AccountContext): Promise<UnreadSpark | undefined> {
    return this.#finds.add({ id, context }, context.deadlineMs);
  }

  /**
   * The time of the burn in epoch seconds. Undefined when the Spark is no longer unread, or locked: do not disclose it then.
   * @throws DeadlinePassed
   */
  burn({ id }: UnreadSpark, context: AccountContext): Promise<number | undefined> {
    return this.#burns.add({ id, context }, context.deadlineMs);
  }

  async #find(items: readonly Item[]): Promise<readonly (UnreadSpark | undefined)[]> {
    const values = [items.map(({ id }) => id), items.map(({ context }) => context.credential.accountId)];
    const rows = await this.database.query<UnreadRow & { item: number }>(findUnread, values);
    const found = new Map(rows.map((row) => [row.item, row]));
    return items.map((_, index) => {
      const row = found.get(index + 1);
      return row && toUnread(row);
    });
  }

  /** Of several readers of one Spark in a batch, the first may burn it. */
  async #burn(items: readonly Item[]): Promise<readonly (number | undefined)[]> {
    const firsts = [...new Map([...items].reverse().map((item) => [item.id, item])).values()];
    const rows = await this.database.query<{ id: string; burned_at: number }>(
      burnBatch,
      burnBatch.valuesOf(columnsOf(firsts)),
    );
    const burned = new Map(rows.map((row) => [row.id, row.burned_at]));
    return items.map((item) => (firsts.includes(item) ? burned.get(item.id) : undefined));
  }
}

function columnsOf(items: readonly Item[]) {
  return {
    ids: items.map(({ id }) => id),
    readers: items.map(({ context }) => context.credential.accountId),
    requestIds: items.map(({ context }) => context.requestId),
    ...actorColumns(items.map(({ context }) => actorOf(context))),
  };
}

export const findUnread = statement(
  'sparks.find-unread',
  `SELECT asked.item, ${unreadColumns('s')}
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (id, reader, item)
     JOIN sparks s ON s.id = asked.id
    WHERE ${isVisibleTo('asked.reader', 's')} AND s.status = 'active'
      AND s.expires_at > clock_timestamp() AND s.content_id IS NULL AND s.size_bytes <= ${BATCHED_BYTES_MAX}`,
);

const READING = `${SPARK_MEMBERS}, 'reader_account_id', reader`;

/** A locked row is being claimed, burned or deleted; its reader then waits for the outcome in the claim. */
export const burnBatch = namedStatement<ReturnType<typeof columnsOf>>(
  'sparks.burn-batch',
  (v) => `
   WITH unread AS (
     SELECT s.id FROM unnest(${v.ids}::text[]) AS asked (id) JOIN sparks s ON s.id = asked.id
      WHERE s.status = 'active' AND s.expires_at > clock_timestamp()
      ORDER BY s.id FOR UPDATE OF s SKIP LOCKED),
   burned AS (
     UPDATE sparks s SET ${BURN}
       FROM unread WHERE s.id = unread.id
     RETURNING s.id, s.account_id, s.size_bytes, s.burned_at),
   event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkRead.name}', reader, request_id,
            ${actedPayload(READING)}
       FROM burned
       JOIN unnest(${v.ids}::text[], ${v.readers}::text[], ${v.requestIds}::text[], ${v.actorTypes}::text[], ${v.actorIds}::text[],
                   ${v.actors}::jsonb[])
            AS reading (id, reader, request_id, actor_type, actor_id, actor) USING (id))
   SELECT id, ${epochSeconds('burned_at')} FROM burned`,
);
