import { AggregateTransactions } from './ledger/aggregate-transactions.handler.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { ListTransactions } from './ledger/list-transactions.handler.js';
import { OnRepeatedEvents } from './events/on-repeated-events.consumer.js';
import { RollUpLedger } from './ledger/roll-up-ledger.job.js';
import { RollUpRepository } from './ledger/roll-up.repository.js';
import { TransactionRepository } from './ledger/transaction.repository.js';

export const ledgerHandlers = [OnRepeatedEvents, ListTransactions, AggregateTransactions];

export const ledgerJobs = [RollUpLedger];

export const ledgerProviders = [LedgerRepository, TransactionRepository, RollUpRepository];
