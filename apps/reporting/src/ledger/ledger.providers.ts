import { AggregateTransactions } from './aggregate-transactions.handler.js';
import { LedgerRepository } from './ledger.repository.js';
import { ListTransactions } from './list-transactions.handler.js';
import { OnRepeatedEvents } from './on-repeated-events.consumer.js';
import { RollUpLedger } from './roll-up-ledger.job.js';
import { RollUpRepository } from './roll-up.repository.js';
import { TransactionRepository } from './transaction.repository.js';

export const ledgerHandlers = [OnRepeatedEvents, ListTransactions, AggregateTransactions];

export const ledgerJobs = [RollUpLedger];

export const ledgerProviders = [LedgerRepository, TransactionRepository, RollUpRepository];
