import { Injectable, Logger } from '@nestjs/common';
import { serviceContext, type Funds } from '@vaultsvc/contracts';
import { loadFunds } from '@vaultsvc/contracts/reporting';
import { FundsCache, type FundsRecord } from '@vaultsvc/limits';
import { Bus } from '@vaultsvc/messaging';

const ANSWER_WITHIN_MS = 2_000;

/** Fetches the funds that Redis has forgotten. */
@Injectable()
export class FundsLoader {
  readonly #logger = new Logger('funds');

  constructor(
    private readonly cache: FundsCache,
    private readonly bus: Bus,
  ) {}

  /**
   * The account's funds, or null while reporting is away: billing must not take the other services down with it
   * (MISC-01), and what is used meanwhile is booked from their events later.
   */
  async load(accountId: string, requestId: string): Promise<FundsRecord | null> {
    try {
      await this.bus.call(
        loadFunds,
        { body: { account_id: accountId } },
        serviceContext(requestId, Date.now() + ANSWER_WITHIN_MS),
      );
    } catch (error) {
      this.#logger.warn({ msg: 'no funds', accountId, requestId, err: error });
      return null;
    }
    return this.cache.get(accountId);
  }
}

/** What handlers decide by: plan and exhausted pools before the call (OPEN-58). */
export function fundsOf(record: FundsRecord | null): Funds {
  if (record === null) return { plan: 'active', exhausted: [] };
  const { plan, storage, bandwidth } = record;
  const exhausted = [
    ...(storage.used >= storage.limit ? (['storage'] as const) : []),
    ...(bandwidth.used >= bandwidth.limit ? (['bandwidth'] as const) : []),
  ];
  return { plan, exhausted };
}
