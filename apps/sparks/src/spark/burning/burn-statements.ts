import { actorOf, type AccountContext } from '@vaultsvc/contracts';
import { sparkRead } from '@vaultsvc/contracts/sparks';
import { epochSeconds, namedStatement, statement } from '@vaultsvc/database';
import { releaseContentsOf } from '../sealing/shared-content.repository.js';
import { actedPayload, actorColumns, BATCHED_BYTES_MAX, isVisibleTo, SPARK_MEMBERS } from './spark-sql.js';

// Where it is decided that a Spark is burned. `burnBatch` burns one of at most 32 KiB whose key is in memory (ADR 26); all others are
// burned by `burnStatement`, or by `burnSharing` if they belong to a send, after `claimStatement` (ADR 3). Of concurrent readers each
// finds the row for one. `ReadSpark` tries them in this order. `findUnread` and `claimStatement` check who may read.

/** What a burn changes: the key and the ciphertext are gone with its commit. */
export const BURN = `status = 'ash', burned_at = clock_timestamp(), wrapped_dek = NULL, ciphertext = NULL, lock_token = NULL, locked_at = NULL`;

/** The lifetime of a read lock; another reader may claim the Spark afterwards (SPK-32). */
export const LOCK_SECONDS = 30;

/** Who reads a Spark. */
export interface Reader {
  readonly id: string;
  readonly context: AccountContext;
}

/** The values of `burnBatch`. */
export function burnColumns(items: readonly Reader[]) {
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
export const burnBatch = namedStatement<ReturnType<typeof burnColumns>>(
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

const VISIBLE = `id = $1 AND ${isVisibleTo('$2')}`;

/**
 * The claim commits asynchronously (`synchronous_commit` off in this transaction only). When a crash of PostgreSQL loses
 * it, the Spark is unread and without this reader's token, so this reader's burn finds no row. The burn commits
 * synchronously.
 */
export const claimStatement = statement(
  'sparks.claim',
  `WITH claimed AS (
     UPDATE sparks SET status = 'reading', lock_token = $3, locked_at = clock_timestamp()
      WHERE ${VISIBLE} AND expires_at > clock_timestamp()
        AND (status = 'active' OR (status = 'reading' AND locked_at < clock_timestamp() - interval '${LOCK_SECONDS} seconds'))
     RETURNING id, account_id, kindling, content_type, filename, size_bytes, created_at, kid, wrapped_dek, ciphertext, content_id)
   SELECT ${unreadColumns()}, set_config('synchronous_commit', 'off', true)
     FROM claimed`,
);

const burnWith = (further: string) => `
   WITH burned AS (
     UPDATE sparks
        SET ${BURN}
      WHERE id = $1 AND status = 'reading' AND lock_token = $2
     RETURNING id, account_id, size_bytes, burned_at, content_id),
   event AS (
     INSERT INTO outbox (name, account_id, request_id, payload)
     SELECT '${sparkRead.name}', $3, $4,
            $5::jsonb || jsonb_build_object(${SPARK_MEMBERS})
       FROM burned)${further}
   SELECT ${epochSeconds('burned_at')} FROM burned`;

export const burnStatement = statement('sparks.burn', burnWith(''));

/** Of a Spark of a send: the ciphertext that it shares goes with the last one. */
export const burnSharing = statement(
  'sparks.burn-sharing',
  burnWith(`, released AS (${releaseContentsOf('burned')})`),
);

/** The columns that a reader needs. */
function unreadColumns(table = 'claimed'): string {
  const columns = [
    'id',
    'account_id',
    'kindling',
    'content_type',
    'filename',
    'size_bytes',
    'kid',
    'wrapped_dek',
    'ciphertext',
    'content_id',
  ];
  return [...columns.map((column) => `${table}.${column}`), epochSeconds(`${table}.created_at`)].join(', ');
}
