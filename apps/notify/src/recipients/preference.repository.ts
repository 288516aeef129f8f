import { Injectable } from '@nestjs/common';
import { validationError } from '@vaultsvc/contracts';
import type { NotifyChannel, QuietHours } from '@vaultsvc/contracts/notify';
import { Database, statement, type Queryable } from '@vaultsvc/database';
import { categoryKey } from './category-key.js';

/** The preferences that decide about one message. */
export interface MessagePreferences {
  readonly isOff: boolean;
  /** Seconds until the end of the quiet hours; 0 outside them. */
  readonly quietSeconds: number;
}

/** A channel that is switched off, for one category or all (null). */
export interface OptOut {
  readonly channel: NotifyChannel;
  readonly category: string | null;
}

/** What is stored under one key: the directory id or the address of a recipient. */
export interface StoredPreferences {
  readonly off: readonly OptOut[];
  readonly quietHours: QuietHours | null;
}

/** What changes; absent parts stay. */
export interface StoredChanges {
  /** Replaces the channels that are off for all categories. */
  readonly channels?: readonly OptOut[];
  /** Replaces the categories that are off. */
  readonly categories?: readonly OptOut[];
  /** Switched one by one. */
  readonly off?: readonly OptOut[];
  readonly on?: readonly OptOut[];
  readonly quietHours?: QuietHours | null;
}

/** Bounds what the holder of a link can store. More than 64 categories on twelve channels, which an account can. */
const OPT_OUTS_MAX = 1_000;

/** The preferences of recipients, by account: what one sender may send says nothing about another (NTF-35). */
@Injectable()
export class PreferenceRepository {
  constructor(private readonly database: Database) {}

  /** A message is off if any of the keys says so, and waits for the last of their quiet hours. */
  async forMessage(
    accountId: string,
    keys: readonly string[],
    channel: NotifyChannel,
    category: string | null,
  ): Promise<MessagePreferences> {
    const values = [accountId, keys, channel, keyOf(category)];
    const [row] = await this.database.query<{ is_off: boolean; quiet_seconds: number }>(
      preferencesForMessage,
      values,
    );
    return { isOff: row?.is_off ?? false, quietSeconds: row?.quiet_seconds ?? 0 };
  }

  async read(accountId: string, key: string): Promise<StoredPreferences> {
    const [off, [quietHours = null]] = await Promise.all([
      this.database.query<OptOut>(readOptOuts, [accountId, key]),
      this.database.query<QuietHours>(readQuietHours, [accountId, key]),
    ]);
    return { off, quietHours };
  }

  /** Changes of one key follow one another, so that a list that replaces another holds nothing of a third. */
  async change(accountId: string, key: string, changes: StoredChanges): Promise<void> {
    const { channels, categories, off = [], on = [], quietHours } = changes;
    await this.database.transaction(async (tx) => {
      await tx.query(lockKey, [`preferences ${accountId} ${key}`]);
      if (channels) await tx.query(deleteChannels, [accountId, key]);
      if (categories) await tx.query(deleteCategories, [accountId, key]);
      await tx.query(deleteOptOuts, [accountId, key, ...columnsOf(on).slice(0, 2)]);
      await insert(tx, accountId, key, [...(channels ?? []), ...(categories ?? []), ...off]);
      if (quietHours !== undefined) await putQuietHours(tx, accountId, key, quietHours);
    });
  }
}

async function insert(tx: Queryable, accountId: string, key: string, off: readonly OptOut[]): Promise<void> {
  if (off.length === 0) return;
  await tx.query(insertOptOuts, [accountId, key, ...columnsOf(off)]);
  const [row] = await tx.query<{ count: number }>(countOptOuts, [accountId, key]);
  if ((row?.count ?? 0) > OPT_OUTS_MAX)
    throw validationError({ field: 'categories', message: 'too many categories are off' });
}

async function putQuietHours(
  tx: Queryable,
  accountId: string,
  key: string,
  quiet: QuietHours | null,
): Promise<void> {
  if (quiet === null) await tx.query(deleteQuietHours, [accountId, key]);
  else await tx.query(upsertQuietHours, [accountId, key, quiet.from, quiet.to, quiet.time_zone]);
}

/** Channels, keys of categories, and categories as they were written. */
function columnsOf(off: readonly OptOut[]): [string[], string[], (string | null)[]] {
  return [
    off.map(({ channel }) => channel),
    off.map(({ category }) => keyOf(category)),
    off.map(({ category }) => category),
  ];
}

/** A row of all categories has the empty one. */
function keyOf(category: string | null): string {
  return category === null ? '' : categoryKey(category);
}

const OF_KEY = 'WHERE account_id = $1 AND directory_key = $2';

const lockKey = statement('notify.lock-preferences', `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`);

const readOptOuts = statement(
  'notify.read-opt-outs',
  `SELECT channel, CASE WHEN category <> '' THEN coalesce(category_label, category) END AS category
     FROM opt_outs ${OF_KEY} ORDER BY opt_outs.category, channel`,
);

const readQuietHours = statement(
  'notify.read-quiet-hours',
  `SELECT to_char(starts, 'HH24:MI') AS "from", to_char(ends, 'HH24:MI') AS "to", time_zone FROM quiet_hours ${OF_KEY}`,
);

const deleteChannels = statement(
  'notify.delete-channels-off',
  `DELETE FROM opt_outs ${OF_KEY} AND category = ''`,
);

const deleteCategories = statement(
  'notify.delete-categories-off',
  `DELETE FROM opt_outs ${OF_KEY} AND category <> ''`,
);

const deleteOptOuts = statement(
  'notify.delete-opt-outs',
  `DELETE FROM opt_outs ${OF_KEY} AND (channel, category) IN (SELECT * FROM unnest($3::text[], $4::text[]))`,
);

const insertOptOuts = statement(
  'notify.insert-opt-outs',
  `INSERT INTO opt_outs (account_id, directory_key, channel, category, category_label)
   SELECT $1, $2, channel, category, label FROM unnest($3::text[], $4::text[], $5::text[]) AS o (channel, category, label)
   ON CONFLICT DO NOTHING`,
);

const countOptOuts = statement(
  'notify.count-opt-outs',
  `SELECT count(*)::int AS count FROM opt_outs ${OF_KEY}`,
);

const deleteQuietHours = statement('notify.delete-quiet-hours', `DELETE FROM quiet_hours ${OF_KEY}`);

const upsertQuietHours = statement(
  'notify.upsert-quiet-hours',
  `INSERT INTO quiet_hours (account_id, directory_key, starts, ends, time_zone) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (account_id, directory_key) DO UPDATE SET starts = $3, ends = $4, time_zone = $5`,
);

/**
 * The seconds from `now` to the end of the quiet hours of a row of `quiet_hours`; 0 outside them. Quiet hours may pass midnight.
 * Their end is computed in the recipient's time zone, so that it follows daylight saving.
 */
export const quietSeconds = (now: string) => `
  (SELECT CASE WHEN CASE WHEN starts <= ends THEN here::time >= starts AND here::time < ends
                         ELSE here::time >= starts OR here::time < ends END
               THEN ceil(extract(epoch FROM
                      ((here::date + ends + CASE WHEN here::time >= ends THEN interval '1 day' ELSE interval '0' END)
                         AT TIME ZONE time_zone) - ${now}))::int
               ELSE 0 END
     FROM (SELECT ${now} AT TIME ZONE time_zone AS here) AS clock)`;

const preferencesForMessage = statement(
  'notify.preferences-for-message',
  `SELECT EXISTS (SELECT 1 FROM opt_outs
                   WHERE account_id = $1 AND directory_key = ANY($2::text[]) AND channel = $3 AND category IN ('', $4)) AS is_off,
          coalesce((SELECT max(${quietSeconds('now()')}) FROM quiet_hours
                     WHERE account_id = $1 AND directory_key = ANY($2::text[])), 0) AS quiet_seconds`,
);
