import { Injectable } from '@nestjs/common';
import type { BillingReason, InvoiceStatus } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, epochSeconds, statement, type Queryable } from '@vaultsvc/database';
import type { Quote, QuotedLine } from '../quote/settle.js';

/** An invoice with its lines. Amounts are minor units, times epoch seconds. */
export interface InvoiceRecord {
  readonly id: string;
  readonly status: InvoiceStatus;
  readonly reason: BillingReason;
  readonly currency: string;
  readonly lines: readonly QuotedLine[];
  readonly total: number;
  readonly creditApplied: number;
  readonly amountDue: number;
  readonly createdAt: number;
  readonly paidAt: number | null;
  /** `createdAt` with microseconds: the sort key of the list. */
  readonly position: string;
}

/** Where a page of invoices starts, and what it contains. */
export interface InvoiceSelection {
  readonly status: InvoiceStatus | null;
  readonly limit: number;
  readonly after: readonly string[] | null;
}

/** The invoices of accounts. Lines and amounts never change once an invoice exists. */
@Injectable()
export class InvoiceRepository {
  constructor(private readonly database: Database) {}

  /** Inserts the invoice of a quote: paid if nothing is due, else open, or the draft of a checkout. */
  async insert(
    tx: Queryable,
    accountId: string,
    quote: Quote,
    { currency, isDraft = false }: { readonly currency: string; readonly isDraft?: boolean },
  ): Promise<InvoiceRecord> {
    const id = newId('in_');
    const status = isDraft ? 'draft' : quote.amountDue === 0 ? 'paid' : 'open';
    const { reason, total, creditApplied, amountDue, lines } = quote;
    await tx.query(insertInvoice, [id, accountId, status, reason, currency, total, creditApplied, amountDue]);
    await tx.query(insertLines, [id, JSON.stringify(lines)]);
    const invoice = await this.find(tx, accountId, id);
    if (!invoice) throw new Error('the insert of an invoice left no row');
    return invoice;
  }

  async find(db: Queryable, accountId: string, id: string): Promise<InvoiceRecord | undefined> {
    const [invoice] = await db.query<InvoiceRecord>(findInvoice, [accountId, id]);
    return invoice;
  }

  /** Newest first, one more than the limit. */
  list(accountId: string, { status, limit, after }: InvoiceSelection): Promise<InvoiceRecord[]> {
    const [createdAt, id] = after ?? ['infinity', ''];
    return this.database.query<InvoiceRecord>(listInvoices, [accountId, status, createdAt, id, limit + 1]);
  }

  /** Marks an invoice as paid; false when it was neither open nor a draft. */
  async pay(tx: Queryable, id: string): Promise<boolean> {
    return (await tx.query(payInvoice, [id])).length > 0;
  }

  /** Voids the draft of a checkout that was not paid, or not for this subscription. */
  async voidDraft(tx: Queryable, id: string): Promise<void> {
    await tx.query(voidDraft, [id]);
  }
}

const insertInvoice = statement(
  'invoices.insert',
  `INSERT INTO invoices (id, account_id, status, billing_reason, currency, total, credit_applied, amount_due, paid_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $3 = 'paid' THEN now() END)`,
);

const insertLines = statement(
  'invoices.insert-lines',
  `INSERT INTO invoice_lines (invoice_id, position, item, plan, quantity, unit_amount, amount, is_proration, period_start, period_end)
   SELECT $1, ordinality, line ->> 'item', line ->> 'plan', (line ->> 'quantity')::integer,
          (line ->> 'unitAmount')::bigint, (line ->> 'amount')::bigint, (line ->> 'isProration')::boolean,
          to_timestamp((line ->> 'periodStart')::bigint), to_timestamp((line ->> 'periodEnd')::bigint)
     FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS lines (line)`,
);

const COLUMNS = `
  id, status, billing_reason AS reason, currency, total, credit_applied AS "creditApplied", amount_due AS "amountDue",
  ${epochSeconds('created_at', 'createdAt')}, ${epochSeconds('paid_at', 'paidAt')},
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS position,
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
            'item', item, 'plan', plan, 'quantity', quantity, 'unitAmount', unit_amount, 'amount', amount,
            'isProration', is_proration, 'periodStart', extract(epoch FROM period_start)::bigint,
            'periodEnd', extract(epoch FROM period_end)::bigint) ORDER BY line.position), '[]')
     FROM invoice_lines AS line WHERE line.invoice_id = invoices.id) AS lines`;

const findInvoice = statement(
  'invoices.find',
  `SELECT ${COLUMNS} FROM invoices WHERE account_id = $1 AND id = $2`,
);

/** BIL-07: newest first, of one status if the caller asks for it. */
const listInvoices = statement(
  'invoices.list',
  `SELECT ${COLUMNS} FROM invoices
    WHERE account_id = $1 AND ($2::text IS NULL OR status = $2)
      AND (created_at, id) < ($3::timestamptz, $4::text)
    ORDER BY invoices.created_at DESC, id DESC LIMIT $5`,
);

const payInvoice = statement(
  'invoices.pay',
  `UPDATE invoices SET status = 'paid', paid_at = now() WHERE id = $1 AND status IN ('draft', 'open') RETURNING id`,
);

const voidDraft = statement(
  'invoices.void-draft',
  `UPDATE invoices SET status = 'void' WHERE id = $1 AND status = 'draft'`,
);
