import { Injectable } from '@nestjs/common';
import { Database, statement } from '@vaultsvc/database';

/** A sink of the settings. */
export interface RegisteredSink {
  readonly name: string;
  readonly destination: string;
  /** Whether a sink that is added sends the entries before it, too. */
  readonly isFromBeginning: boolean;
}

/** How far a sink has come. */
export interface SinkProgress {
  readonly name: string;
  /** Entries of the feed, and of batches that are not in it yet, that the sink has not received. */
  readonly behind: number;
  /** The age of the oldest of them; 0 without any. */
  readonly oldestSeconds: number;
}

/** Which sinks there are. A sink exists while an instance has it in its settings. */
@Injectable()
export class SinkRegistryRepository {
  constructor(private readonly database: Database) {}

  /** Adds a sink; one that was removed begins as a new one. False for a sink that exists. */
  async add({ name, destination, isFromBeginning }: RegisteredSink): Promise<boolean> {
    return (await this.database.query(addSink, [name, destination, isFromBeginning])).length > 0;
  }

  /** Records where a sink sends to. False if it has sent there before. */
  async changeDestination({ name, destination }: RegisteredSink): Promise<boolean> {
    return (await this.database.query(changeDestination, [name, destination])).length > 0;
  }

  /** Records that an instance has these sinks, at most once a minute. */
  async see(names: readonly string[]): Promise<void> {
    await this.database.query(seeSinks, [names]);
  }

  /** Removes the sinks that no instance has had for so many seconds, and returns their names and what they lacked. */
  removeUnseen(seconds: number): Promise<SinkProgress[]> {
    return this.database.query<SinkProgress>(removeUnseen, [seconds]);
  }

  /** The progress of all sinks. */
  progress(): Promise<SinkProgress[]> {
    return this.database.query<SinkProgress>(selectProgress);
  }
}

/** The position before which a sink gets nothing is the end of the feed when it is added. */
const addSink = statement(
  'audit-sinks.add',
  `INSERT INTO audit_sinks AS known (name, destination, position, history_account, history_seq)
   SELECT $1, $2, position, CASE WHEN $3::boolean THEN '' END, CASE WHEN $3 THEN 0 END FROM audit_feed_end
   ON CONFLICT (name) DO UPDATE
      SET destination = EXCLUDED.destination, position = EXCLUDED.position, history_account = EXCLUDED.history_account,
          history_seq = EXCLUDED.history_seq, created_at = now(), created_xid = pg_current_xact_id(), seen_at = now(),
          removed_at = NULL, batch_position = NULL, lease_owner = NULL, lease_until = NULL, failures = 0, retry_at = NULL
    WHERE known.removed_at IS NOT NULL
   RETURNING name`,
);

const changeDestination = statement(
  'audit-sinks.change-destination',
  `UPDATE audit_sinks SET destination = $2, failures = 0, retry_at = NULL WHERE name = $1 AND destination <> $2 RETURNING name`,
);

const seeSinks = statement(
  'audit-sinks.see',
  `UPDATE audit_sinks SET seen_at = now() WHERE name = ANY($1::text[]) AND seen_at < now() - interval '1 minute'`,
);

const PROGRESS = `s.name, f.position + waiting.entries - s.position AS behind,
          coalesce(extract(epoch FROM now() - least(
            (SELECT appended_at FROM audit_feed WHERE position > s.position ORDER BY position LIMIT 1), waiting.oldest)), 0)::float
            AS "oldestSeconds"`;

const WAITING = `audit_feed_end f, (
     SELECT coalesce(sum(last_seq - first_seq + 1), 0)::bigint AS entries, min(appended_at) AS oldest
       FROM audit_batches, unnest(first_seqs, last_seqs) AS chain (first_seq, last_seq)) waiting`;

const removeUnseen = statement(
  'audit-sinks.remove-unseen',
  `UPDATE audit_sinks s SET removed_at = now() FROM ${WAITING}
    WHERE s.removed_at IS NULL AND s.seen_at < now() - interval '1 second' * $1
   RETURNING ${PROGRESS}`,
);

const selectProgress = statement(
  'audit-sinks.progress',
  `SELECT ${PROGRESS} FROM audit_sinks s, ${WAITING} WHERE s.removed_at IS NULL`,
);
