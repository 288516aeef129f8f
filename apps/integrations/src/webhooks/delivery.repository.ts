import { Injectable } from '@nestjs/common';
import type { AppId } from '@vaultsvc/contracts/integrations';
import { Database, statement } from '@vaultsvc/database';

/** Longer than any provider retries, and than a signature is valid. */
const KEPT_HOURS = 25;

/** Webhooks that were received. PostgreSQL decides which of several deliveries has an effect. */
@Injectable()
export class DeliveryRepository {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  /** Whether this is the first delivery with this id. */
  async isFirst(appId: AppId, delivery: string): Promise<boolean> {
    return (await this.database.query(insertDelivery, [appId, delivery])).length > 0;
  }

  /** Deletes deliveries that no provider repeats any more. */
  async run(): Promise<void> {
    await this.database.query(deleteExpired, []);
  }
}

const insertDelivery = statement(
  'integrations.insert-delivery',
  `INSERT INTO webhook_deliveries (app_id, delivery, expires_at) VALUES ($1, $2, now() + interval '${KEPT_HOURS} hours')
   ON CONFLICT DO NOTHING RETURNING 1`,
);

const deleteExpired = statement(
  'integrations.delete-expired-deliveries',
  `DELETE FROM webhook_deliveries WHERE expires_at <= now()`,
);
