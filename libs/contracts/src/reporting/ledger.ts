import { exampleId, exampleTime } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { Cursor, EpochSeconds, Flag, IdOf, Int, ListOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** The resources of the usage ledger. */
export const ledgerResources = ['storage', 'bandwidth', 'operation'] as const;
export type LedgerResource = (typeof ledgerResources)[number];

/** Query of `listTransactions`. */
export class TransactionQuery {
  @Int({ min: 1, max: 100, optional: true }) limit = 50;
  @Cursor() cursor?: string;
  @Text({ max: 100, optional: true, description: 'Only transactions of exactly this type.' }) type?: string;
  @Flag({
    optional: true,
    description:
      'Also lists the transactions that summaries contain, for as many months as the operator keeps them.',
  })
  include_aggregated = false;
}

/** The use of one resource by one event, or a summary of one UTC day (OPEN-29). */
@Example({
  type: 'spark_create',
  resource: 'storage',
  quantity: 28,
  reference_id: exampleId('spk'),
  vault_id: null,
  actor_type: 'api_key',
  aggregated: false,
})
export class Transaction {
  @IdOf('txn', { description: 'Derived from the event and the resource.' }) transaction_id: string;
  @Text({ max: 40, description: 'For example spark_create.' }) type: string;
  @OneOf(ledgerResources) resource: LedgerResource;
  @Int({ description: 'Negative where storage is released.' }) quantity: number;
  @OneOf(['bytes', 'count']) unit: 'bytes' | 'count';
  @Text({
    max: 64,
    nullable: true,
    description: 'The Spark, vault, ingot or other resource; null: a summary.',
  })
  reference_id: string | null;
  @IdOf('vlt', { nullable: true }) vault_id: string | null;
  @OneOf(['user', 'api_key'], {
    nullable: true,
    description: 'null: a visitor, an integration, a job or a summary.',
  })
  actor_type: 'user' | 'api_key' | null;
  @Flag({ description: 'Whether a summary contains the transaction. The others sum up to the usage.' })
  aggregated: boolean;
  @EpochSeconds({ description: 'The time of the event; the start of the UTC day of a summary.' })
  created_at: number;
}

/** A page of transactions. */
export class TransactionPage {
  @ListOf(() => Transaction) transactions: Transaction[];
  @Int({ min: 0 }) count: number;
  @Flag({
    description: 'A page of one type may have fewer transactions than its limit, or none, and more follow.',
  })
  has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

/** Lists the usage ledger (RPT-31, RPT-32). Usage is recorded and never billed. */
export const listTransactions = operation({
  name: 'reporting.list-transactions',
  summary: 'Lists the usage ledger, newest first; a summary stands for the transactions that were rolled up.',
  http: { method: 'GET', path: '/v1/billing/transactions', status: 200 },
  access: { credential: 'key' },
  query: TransactionQuery,
  reply: TransactionPage,
  cursor: 'next_cursor',
  repeatable: true,
});

/** What a roll-up did. */
@Example({ aggregated_count: 26, summary_count: 7, aggregated_until: exampleTime() })
export class AggregatedTransactions {
  @Int({ min: 0, description: 'Transactions that summaries contain now, and that lists hide by default.' })
  aggregated_count: number;
  @Int({ min: 0, description: 'Summaries, one per type, resource and UTC day, that were made or increased.' })
  summary_count: number;
  @EpochSeconds({ description: 'Transactions up to this time were rolled up.' }) aggregated_until: number;
  @Flag({ description: 'The time of the call ended before all transactions were rolled up: call again.' })
  has_more: boolean;
}

/** Rolls up all transactions of the account into summaries; the sum of what is listed does not change (BIL-13). */
export const aggregateTransactions = operation({
  name: 'reporting.aggregate-transactions',
  summary: 'Rolls up the usage ledger so far into one summary per type, resource and UTC day.',
  http: { method: 'POST', path: '/v1/billing/aggregate', status: 200 },
  access: { credential: 'key', role: 'admin' },
  reply: AggregatedTransactions,
});
