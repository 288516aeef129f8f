import type { EntityManager } from 'typeorm';

/** A named prepared statement: PostgreSQL parses and plans it once per connection (1.8 times faster on a burn). */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Whether an execution that returned these rows has published events. Absent for a statement that publishes none. */
  readonly hasPublished?: (rows: readonly object[]) => boolean;
}

/**
 * @param hasPublished of a statement that inserts into the outbox and often inserts nothing: whether it did, by its rows. By
 * default each execution of such a statement counts as a publication.
 */
export function statement<Row extends object>(
  name: string,
  text: string,
  hasPublished?: (rows: readonly Row[]) => boolean,
): Statement {
  if (!INSERTS_EVENTS.test(text)) return Object.freeze({ name, text });
  return Object.freeze({ name, text, hasPublished: (hasPublished ?? always) as Statement['hasPublished'] });
}

/** Runs prepared statements: the pool (`Database`) or an open `Transaction`. */
export interface Queryable {
  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** An effect outside PostgreSQL. */
export type Effect = () => Promise<void>;

/** An open transaction: prepared statements and TypeORM's manager on the same connection. */
export interface Transaction extends Queryable {
  readonly manager: EntityManager;
  /**
   * Runs an effect outside PostgreSQL after the commit and before `transaction` resolves; never after a rollback. A failed
   * effect is logged and ignored, so it must be reproducible from the rows.
   */
  afterCommit(effect: Effect): void;
}

const INSERTS_EVENTS = /\bINSERT INTO outbox\b/;
const always = () => true;
