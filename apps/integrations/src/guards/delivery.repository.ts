import { Injectable } from '@nestjs/common';
import type { AppId } from '@vaultsvc/contracts/integrations';
import { Database, statement } from '@vaultsvc/database';
import type { ProviderDelivery } from '@vaultsvc/messaging';

/** Longer than any provider retries, and than a signature is valid. */
const KEPT_HOURS = 25;

/** `used`: it had its effect. `running`: another request with this id is under way. */
export type Repetition = 'used' | 'running';

/**
 * Requests that are accepted once. PostgreSQL decides which of several deliveries has an effect. A request whose handling failed,
 * or whose instance ended before its deadline, is accepted again: the provider repeats it as it was (ADR 36).
 */
@Injectable()
export class DeliveryRepository {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  /**
   * Claims a delivery until it is finished or released, at most until the caller's deadline.
   * @param id what the provider repeats unchanged, such as the signature
   */
  async claim(
    appId: AppId,
    id: string,
    { deadlineMs }: { readonly deadlineMs: number },
  ): Promise<ProviderDelivery | Repetition> {
    const seconds = Math.max(0, (deadlineMs - Date.now()) / 1_000);
    const [claimed] = await this.database.query<Claim>(claimDelivery, [appId, id, seconds]);
    if (!claimed) return this.#repetition(appId, id);
    const values = [appId, id, claimed.claim];
    return {
      finish: async () => void (await this.database.query(finishDelivery, values)),
      release: async () => void (await this.database.query(releaseDelivery, values)),
    };
  }

  /** Deletes deliveries that no provider repeats any more. */
  async run(): Promise<void> {
    await this.database.query(deleteExpired, []);
  }

  async #repetition(appId: AppId, id: string): Promise<Repetition> {
    const [row] = await this.database.query(findRunning, [appId, id]);
    return row ? 'running' : 'used';
  }
}

interface Claim {
  /** The end of the claim, by which a later one of the same delivery differs. */
  readonly claim: string;
}

/** A row without `running_until` is used. */
const claimDelivery = statement(
  'integrations.claim-delivery',
  `INSERT INTO webhook_deliveries AS d (app_id, delivery, expires_at, running_until)
   VALUES ($1, $2, now() + interval '${KEPT_HOURS} hours', clock_timestamp() + make_interval(secs => $3))
   ON CONFLICT (app_id, delivery) DO UPDATE SET running_until = excluded.running_until
     WHERE d.running_until <= clock_timestamp()
   RETURNING running_until::text AS claim`,
);

const finishDelivery = statement(
  'integrations.finish-delivery',
  `UPDATE webhook_deliveries SET running_until = NULL
    WHERE app_id = $1 AND delivery = $2 AND running_until = $3::timestamptz`,
);

const releaseDelivery = statement(
  'integrations.release-delivery',
  `DELETE FROM webhook_deliveries WHERE app_id = $1 AND delivery = $2 AND running_until = $3::timestamptz`,
);

const findRunning = statement(
  'integrations.find-running-delivery',
  `SELECT 1 FROM webhook_deliveries WHERE app_id = $1 AND delivery = $2 AND running_until IS NOT NULL`,
);

const deleteExpired = statement(
  'integrations.delete-expired-deliveries',
  `DELETE FROM webhook_deliveries WHERE expires_at <= now()`,
);
