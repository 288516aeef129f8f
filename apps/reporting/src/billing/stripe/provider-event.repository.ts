import { Injectable } from '@nestjs/common';
import { Database, runInBatches, statement, type Queryable } from '@vaultsvc/database';
import type { Job } from '@vaultsvc/service';

/** An event of a provider, which may deliver it more than once. */
export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  /** Epoch seconds. */
  readonly occurredAt: number;
}

/** The events that were applied. As a job: forgets them after 90 days, when no provider delivers them again. */
@Injectable()
export class ProviderEventRepository implements Job {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  /** Records an event in the transaction of its effect; false when it was recorded before. */
  async record(tx: Queryable, provider: string, { id, type, occurredAt }: ProviderEvent): Promise<boolean> {
    return (await tx.query(insertEvent, [provider, id, type, occurredAt])).length > 0;
  }

  run(): Promise<void> {
    return runInBatches(this.database, deleteOld);
  }
}

const insertEvent = statement(
  'provider-events.insert',
  `INSERT INTO provider_events (provider, id, type, occurred_at) VALUES ($1, $2, $3, to_timestamp($4))
   ON CONFLICT (provider, id) DO NOTHING RETURNING id`,
);

const deleteOld = statement(
  'provider-events.delete-old',
  `DELETE FROM provider_events WHERE (provider, id) IN (
     SELECT provider, id FROM provider_events WHERE received_at < now() - interval '90 days'
      ORDER BY received_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING 1`,
);
