import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import type { Transaction } from '@vaultsvc/database';
import { AuditRepository } from '../../audit/audit.repository.js';
import { ownRecord, type AuditCause } from '../../audit/own-record.js';
import type { AuditRecord } from '../../audit/audit-rules.js';
import { ReportingConfig } from '../../config.js';
import { Plans } from '../../pool/plans.js';
import { PoolUpdater } from '../../pool/pool-updater.js';
import { InvoiceRepository, type InvoiceRecord } from '../invoice/invoice.repository.js';
import { allowanceOf } from '../quote/configuration.js';
import type { Quote } from '../quote/settle.js';
import type { SubscriptionState } from '../quote/subscription-state.js';
import { SubscriptionRepository } from './subscription.repository.js';

/** What a change is made with. */
export interface ChangeOptions {
  /** The draft that becomes the invoice; without it a new one is inserted. */
  readonly isInvoiced?: boolean;
  /** Lets the limits fall below what is in use: the pools are exhausted then. For ends and renewals. */
  readonly isForced?: boolean;
  /** For the audit log. */
  readonly cause: AuditCause;
}

/** Applies quotes: subscription, invoice and limits of the pools change in one transaction. */
@Injectable()
export class SubscriptionChanger {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly invoices: InvoiceRepository,
    private readonly audit: AuditRepository,
    private readonly pools: PoolUpdater,
    private readonly plans: Plans,
    private readonly config: ReportingConfig,
  ) {}

  /**
   * Replaces the version that the quote was made for. Returns the invoice; null when the quote has no lines.
   * @throws AppError SUBSCRIPTION_CHANGED when that version is not the current one any more, ALLOWANCE_IN_USE
   */
  async apply(
    tx: Transaction,
    accountId: string,
    before: SubscriptionState,
    quote: Quote,
    { isInvoiced = false, isForced = false, cause }: ChangeOptions,
  ): Promise<InvoiceRecord | null> {
    if (!(await this.subscriptions.replace(tx, accountId, quote.next)))
      throw new AppError('SUBSCRIPTION_CHANGED');
    const currency = this.config.BILLING_CURRENCY;
    const isNew = quote.lines.length > 0 && !isInvoiced;
    const invoice = isNew ? await this.invoices.insert(tx, accountId, quote, { currency }) : null;
    await this.audit.append(tx, [changeRecord(accountId, cause, quote.next, invoice)]);
    await this.#setLimits(tx, accountId, before, quote.next, isForced); // last: see PoolUpdater
    return invoice;
  }

  async #setLimits(
    tx: Transaction,
    accountId: string,
    before: SubscriptionState,
    next: SubscriptionState,
    isForced: boolean,
  ): Promise<void> {
    const [old, now] = [before, next].map((state) => allowanceOf(state, (name) => this.plans.named(name)));
    if (!old || !now) throw new Error('a subscription has no allowance');
    const limits = {
      plan: next.plan,
      status: next.status === 'active' ? ('active' as const) : ('none' as const),
      storageBytes: next.storageBlocks > 0 ? now.storageBytes : null,
      bandwidthBytes: next.bandwidthBlocks > 0 ? now.bandwidthBytes : null,
      identitySeats: next.seats > 0 ? now.identitySeats : null,
    };
    const isLess = (limit: 'storageBytes' | 'identitySeats') => !isForced && now[limit] < old[limit];
    await this.pools.setLimits(tx, accountId, limits, {
      storageBytes: isLess('storageBytes') ? now.storageBytes : null,
      identitySeats: isLess('identitySeats') ? now.identitySeats : null,
    });
  }
}

function changeRecord(
  accountId: string,
  cause: AuditCause,
  { plan, status, seats, storageBlocks, bandwidthBlocks }: SubscriptionState,
  invoice: InvoiceRecord | null,
): AuditRecord {
  const details = {
    plan,
    status,
    seats,
    storage_blocks: storageBlocks,
    bandwidth_blocks: bandwidthBlocks,
    ...(invoice && { invoice_id: invoice.id }),
  };
  return ownRecord(accountId, cause, { type: 'billing_subscription_changed', details });
}
