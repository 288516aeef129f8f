import { Injectable } from '@nestjs/common';
import type { NotifyChannel, RecipientPreferences } from '@vaultsvc/contracts/notify';
import { Database, statement } from '@vaultsvc/database';
import { directoryKeyOfText } from './recipient.js';

/** The preferences of a recipient for one message. */
export interface MessagePreferences {
  readonly isOff: boolean;
  /** Seconds until the end of the quiet hours; 0 outside them. */
  readonly quietSeconds: number;
}

/** The preferences of recipients, by account: what one sender may send says nothing about another (NTF-35). */
@Injectable()
export class PreferenceRepository {
  constructor(private readonly database: Database) {}

  /** Replaces them. */
  async put({ account_id, recipient_id, off, quiet_hours: quiet }: RecipientPreferences): Promise<void> {
    const key = directoryKeyOfText(recipient_id);
    await this.database.transaction(async (tx) => {
      await tx.query(deleteOptOuts, [account_id, key]);
      await tx.query(insertOptOuts, [
        account_id,
        key,
        off.map(({ channel }) => channel),
        off.map(({ category }) => category ?? ''),
      ]);
      await tx.query(deleteQuietHours, [account_id, key]);
      if (quiet) await tx.query(insertQuietHours, [account_id, key, quiet.from, quiet.to, quiet.time_zone]);
    });
  }

  /** Switches a channel off, for one category or all. Idempotent. */
  async switchOff(
    accountId: string,
    directoryKey: string,
    channel: NotifyChannel,
    category: string | null,
  ): Promise<void> {
    await this.database.query(insertOptOuts, [accountId, directoryKey, [channel], [category ?? '']]);
  }

  async read(
    accountId: string,
    directoryKey: string,
    channel: NotifyChannel,
    category: string | null,
  ): Promise<MessagePreferences> {
    const values = [accountId, directoryKey, channel, category ?? ''];
    const [row] = await this.database.query<{ is_off: boolean; quiet_seconds: number }>(
      readPreferences,
      values,
    );
    return { isOff: row?.is_off ?? false, quietSeconds: row?.quiet_seconds ?? 0 };
  }
}

const deleteOptOuts = statement(
  'notify.delete-opt-outs',
  `DELETE FROM opt_outs WHERE account_id = $1 AND directory_key = $2`,
);

const insertOptOuts = statement(
  'notify.insert-opt-outs',
  `INSERT INTO opt_outs (account_id, directory_key, channel, category)
   SELECT $1, $2, channel, category FROM unnest($3::text[], $4::text[]) AS o (channel, category) ON CONFLICT DO NOTHING`,
);

const deleteQuietHours = statement(
  'notify.delete-quiet-hours',
  `DELETE FROM quiet_hours WHERE account_id = $1 AND directory_key = $2`,
);

const insertQuietHours = statement(
  'notify.insert-quiet-hours',
  `INSERT INTO quiet_hours (account_id, directory_key, starts, ends, time_zone) VALUES ($1, $2, $3, $4, $5)`,
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

const readPreferences = statement(
  'notify.read-preferences',
  `SELECT EXISTS (SELECT 1 FROM opt_outs
                   WHERE account_id = $1 AND directory_key = $2 AND channel = $3 AND category IN ('', $4)) AS is_off,
          coalesce((SELECT ${quietSeconds('now()')} FROM quiet_hours WHERE account_id = $1 AND directory_key = $2), 0)
            AS quiet_seconds`,
);
