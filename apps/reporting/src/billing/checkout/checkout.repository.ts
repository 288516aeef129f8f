import { Injectable } from '@nestjs/common';
import { epochSeconds, namedStatement, statement, type Queryable } from '@vaultsvc/database';
import type { Configuration } from '../quote/configuration.js';

/** An open checkout: what it starts, and for which version of the subscription its invoice was calculated. */
export interface OpenCheckoutRecord extends Configuration {
  readonly id: string;
  readonly accountId: string;
  readonly invoiceId: string;
  readonly version: number;
  /** The instant that the invoice was calculated for, in epoch seconds. */
  readonly at: number;
}

/** Checkouts on the page of a provider. */
@Injectable()
export class CheckoutRepository {
  async insert(tx: Queryable, checkout: OpenCheckoutRecord, expiresAt: number): Promise<void> {
    await tx.query(insertCheckout, insertCheckout.valuesOf({ ...checkout, expiresAt }));
  }

  /** Ends an open checkout; undefined when it has ended. One that has expired may still be paid: the page was open. */
  async complete(tx: Queryable, id: string): Promise<OpenCheckoutRecord | undefined> {
    const [checkout] = await tx.query<OpenCheckoutRecord>(completeCheckout, [id]);
    return checkout;
  }

  /** Ends an open checkout that was not paid. Its invoice; undefined when it has ended. */
  async expire(tx: Queryable, id: string): Promise<string | undefined> {
    const [row] = await tx.query<{ invoiceId: string }>(expireCheckout, [id]);
    return row?.invoiceId;
  }

  /** Open checkouts whose page has been closed for a day: the report of its end is lost. */
  async findStale(db: Queryable, max: number): Promise<string[]> {
    const rows = await db.query<{ id: string }>(findStale, [max]);
    return rows.map(({ id }) => id);
  }
}

const insertCheckout = namedStatement<OpenCheckoutRecord & { readonly expiresAt: number }>(
  'checkouts.insert',
  (v) => `
   INSERT INTO checkouts (id, account_id, invoice_id, status, plan, seats, storage_blocks, bandwidth_blocks, version,
                          as_of, expires_at)
   VALUES (${v.id}, ${v.accountId}, ${v.invoiceId}, 'open', ${v.plan}, ${v.seats}, ${v.storageBlocks}, ${v.bandwidthBlocks},
           ${v.version}, to_timestamp(${v.at}), to_timestamp(${v.expiresAt}))`,
);

const completeCheckout = statement(
  'checkouts.complete',
  `UPDATE checkouts SET status = 'complete' WHERE id = $1 AND status <> 'complete'
   RETURNING id, account_id AS "accountId", invoice_id AS "invoiceId", plan, seats,
             storage_blocks AS "storageBlocks", bandwidth_blocks AS "bandwidthBlocks", version,
             ${epochSeconds('as_of', 'at')}`,
);

const expireCheckout = statement(
  'checkouts.expire',
  `UPDATE checkouts SET status = 'expired' WHERE id = $1 AND status = 'open' RETURNING invoice_id AS "invoiceId"`,
);

const findStale = statement(
  'checkouts.find-stale',
  `SELECT id FROM checkouts
    WHERE status = 'open' AND expires_at < now() - interval '24 hours' ORDER BY expires_at LIMIT $1`,
);
