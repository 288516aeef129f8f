import { Controller } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { eventsConsumedBy } from '@vaultsvc/contracts/catalog';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { AuditErasureRepository } from '../audit/audit-erasure.repository.js';
import { auditRecordsOf } from '../audit/audit-rules.js';
import { AuditRepository } from '../audit/audit.repository.js';
import { UsageCounterRepository } from '../analytics/usage-counter.repository.js';
import { usageCountsOf } from '../analytics/usage-counts.js';
import { SparkLabelRepository } from '../history/spark-label.repository.js';
import { entriesOf } from '../ledger/ledger-entries.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { drawsOf, PoolUpdater } from '../pool/pool-updater.js';
import { seatsOf } from '../pool/seats.js';
import { ReservationRepository } from '../reservation/reservation.repository.js';
import { settlementsOf } from '../reservation/settlements.js';
import { OwnAccounts } from '../shards/own-accounts.js';

/**
 * Records the events of all services, a batch in one transaction: in the audit log with the labels beside it, in the ledger, in the
 * reservations that versions settle, in the counters of analytics, and in the pools that ledger and reservations draw. Every
 * transaction locks rows in this order, and those of pools last (`PoolUpdater`).
 */
@Controller()
export class OnEvents {
  constructor(
    private readonly own: OwnAccounts,
    private readonly audit: AuditRepository,
    private readonly erasures: AuditErasureRepository,
    private readonly labels: SparkLabelRepository,
    private readonly ledger: LedgerRepository,
    private readonly reservations: ReservationRepository,
    private readonly counters: UsageCounterRepository,
    private readonly pools: PoolUpdater,
  ) {}

  @Consumes(...eventsConsumedBy('reporting'))
  async record(deliveries: readonly Delivery[], tx: Transaction): Promise<void> {
    const records = this.own.of(deliveries.flatMap(auditRecordsOf));
    await this.audit.append(tx, records);
    await this.erasures.order(tx, deliveries, records);
    await this.labels.keep(tx, deliveries);
    const entries = this.own.of(deliveries.flatMap(entriesOf));
    await this.ledger.append(tx, entries);
    const reserved = await this.reservations.settle(tx, this.own.of(settlementsOf(deliveries)));
    await this.counters.add(tx, this.own.of(usageCountsOf(deliveries, entries)));
    await this.pools.draw(tx, [
      ...drawsOf(entries),
      ...reserved,
      ...this.own.of(deliveries.flatMap(seatsOf)),
    ]);
  }
}
