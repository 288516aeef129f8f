import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { Batcher, Database } from '@vaultsvc/database';
import { toUnread, type UnreadRow, type UnreadSpark } from './burning/burn.repository.js';
import { burnBatch, burnColumns, findUnread, type Reader } from './burning/burn-statements.js';

/**
 * Makes a small Spark readable at most once without a lock, while its key is in memory (ADR 26): `find` it, decrypt it at
 * once, `burn` it where it is still unread, disclose it after the commit. The burn decides: of concurrent readers it finds the
 * row for one, and nothing that cannot be opened is burned. Both statements are shared by concurrent readers.
 */
@Injectable()
export class OptimisticBurn {
  readonly #finds = new Batcher<Reader, UnreadSpark | undefined>({
    name: 'sparks.find-unread',
    run: (items) => this.#find(items),
  });
  readonly #burns = new Batcher<Reader, number | undefined>({
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

  async #find(items: readonly Reader[]): Promise<readonly (UnreadSpark | undefined)[]> {
    const values = [items.map(({ id }) => id), items.map(({ context }) => context.credential.accountId)];
    const rows = await this.database.query<UnreadRow & { item: number }>(findUnread, values);
    const found = new Map(rows.map((row) => [row.item, row]));
    return items.map((_, index) => {
      const row = found.get(index + 1);
      return row && toUnread(row);
    });
  }

  /** Of several readers of one Spark in a batch, the first may burn it. */
  async #burn(items: readonly Reader[]): Promise<readonly (number | undefined)[]> {
    const firsts = [...new Map([...items].reverse().map((item) => [item.id, item])).values()];
    const rows = await this.database.query<{ id: string; burned_at: number }>(
      burnBatch,
      burnBatch.valuesOf(burnColumns(firsts)),
    );
    const burned = new Map(rows.map((row) => [row.id, row.burned_at]));
    return items.map((item) => (firsts.includes(item) ? burned.get(item.id) : undefined));
  }
}
