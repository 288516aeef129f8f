import { Controller } from '@nestjs/common';
import { assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { aggregateTransactions, type AggregatedTransactions } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { RollUpRepository } from './roll-up.repository.js';

/** Time that is left for the reply when the last statement starts. */
const RESERVE_MS = 5_000;

@Controller()
export class AggregateTransactions {
  constructor(private readonly rollUps: RollUpRepository) {}

  @Handles(aggregateTransactions)
  async handle(
    _input: Input<typeof aggregateTransactions>,
    context: ContextOf<typeof aggregateTransactions>,
  ): Promise<AggregatedTransactions> {
    assertAdmin(context);
    const { accountId } = context.credential;
    const untilMs = Date.now();
    const summaries = new Set<string>();
    let transactions = 0;
    let isComplete: boolean;
    await this.rollUps.prepareMonths();
    do {
      const { increases, ...rest } = await this.rollUps.rollUp(accountId, untilMs);
      for (const { summaryId, resources } of increases)
        for (const resource of resources) summaries.add(`${summaryId} ${resource}`);
      transactions += increases.reduce((sum, increase) => sum + increase.transactions, 0);
      isComplete = rest.isComplete;
    } while (!isComplete && Date.now() < context.deadlineMs - RESERVE_MS);
    return {
      aggregated_count: transactions,
      summary_count: summaries.size,
      aggregated_until: Math.floor(untilMs / 1_000),
      has_more: !isComplete,
    };
  }
}
