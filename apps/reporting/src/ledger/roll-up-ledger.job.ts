import { Injectable } from '@nestjs/common';
import type { Job } from '@vaultsvc/service';
import { ReportingConfig } from '../config.js';
import { lowestIdAt } from './event-ids.js';
import { RollUpRepository } from './roll-up.repository.js';

const DAY_MS = 86_400_000;

/**
 * Rolls up the entries of all accounts that are older than `LEDGER_DETAIL_DAYS`, and removes those of months before `LEDGER_KEPT_MONTHS`,
 * of which the summaries stay. Safe on any number of instances.
 */
@Injectable()
export class RollUpLedger implements Job {
  readonly everySeconds = 3_600;

  constructor(
    private readonly config: ReportingConfig,
    private readonly rollUps: RollUpRepository,
  ) {}

  async run(): Promise<void> {
    const untilMs = Date.now() - this.config.LEDGER_DETAIL_DAYS * DAY_MS;
    await this.rollUps.prepareMonths();
    let accounts: readonly string[];
    let last = '';
    do {
      accounts = await this.rollUps.accountsBefore(lowestIdAt(untilMs), last);
      for (const account of accounts) await this.#rollUp(account, untilMs);
      last = accounts.at(-1) ?? last;
    } while (accounts.length > 0);
    await this.rollUps.dropOldMonths();
  }

  async #rollUp(accountId: string, untilMs: number): Promise<void> {
    while (!(await this.rollUps.rollUp(accountId, untilMs, lowestIdAt(untilMs))).isComplete);
  }
}
