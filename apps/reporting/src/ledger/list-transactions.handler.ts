import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { listTransactions, type TransactionPage } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { TransactionRepository } from './transaction.repository.js';

@Controller()
export class ListTransactions {
  constructor(private readonly transactions: TransactionRepository) {}

  @Handles(listTransactions)
  async handle(
    { query }: Input<typeof listTransactions>,
    { credential }: AccountContext,
  ): Promise<TransactionPage> {
    const { rows, ...page } = await this.transactions.list(credential.accountId, query);
    return { transactions: [...rows], ...page };
  }
}
