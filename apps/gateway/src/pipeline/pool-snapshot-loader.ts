import { Injectable, Logger } from '@nestjs/common';
import { serviceContext, type PoolAvailability } from '@vaultsvc/contracts';
import { loadPoolSnapshot } from '@vaultsvc/contracts/reporting';
import { PoolSnapshotCache, type PoolSnapshot } from '@vaultsvc/limits';
import { Bus } from '@vaultsvc/messaging';

const ANSWER_WITHIN_MS = 2_000;

/** Loads pool snapshots that Redis does not hold, by asking reporting to write them. */
@Injectable()
export class PoolSnapshotLoader {
  readonly #logger = new Logger('pools');

  constructor(
    private readonly cache: PoolSnapshotCache,
    private readonly bus: Bus,
  ) {}

  /**
   * The snapshot of the account, or null while reporting or Redis is unreachable: billing must not stop other services
   * (MISC-01). Usage in that time is booked later, from their events. The call itself has been counted before.
   */
  async load(accountId: string, requestId: string): Promise<PoolSnapshot | null> {
    try {
      await this.bus.call(
        loadPoolSnapshot,
        { body: { account_id: accountId } },
        serviceContext({ requestId, deadlineMs: Date.now() + ANSWER_WITHIN_MS }),
      );
      return await this.cache.get(accountId);
    } catch (error) {
      this.#logger.warn({ msg: 'no pool snapshot', accountId, requestId, err: error });
      return null;
    }
  }
}

/** Plan and exhausted pools before the call, which handlers decide by; without a snapshot every pool counts as available (OPEN-58). */
export function poolAvailabilityOf(record: PoolSnapshot | null): PoolAvailability {
  if (record === null) return { plan: 'active', exhausted: [] };
  const { plan, storage, bandwidth } = record;
  const exhausted = [
    ...(storage.used >= storage.limit ? (['storage'] as const) : []),
    ...(bandwidth.used >= bandwidth.limit ? (['bandwidth'] as const) : []),
  ];
  return { plan, exhausted };
}
