import { Module, type DynamicModule } from '@nestjs/common';
import { DatabaseModule } from '@vaultsvc/database';
import { poolSnapshotCache, RedisModule } from '@vaultsvc/limits';
import { ReadinessChecks } from '@vaultsvc/service';
import { AuditRepository } from './audit/audit.repository.js';
import { InvoiceRepository } from './billing/invoice/invoice.repository.js';
import { OperatorBilling } from './billing/operator/operator-billing.js';
import { PaymentCollector } from './billing/payment/payment-collector.js';
import { PaymentRepository } from './billing/payment/payment.repository.js';
import { BillingProvider } from './billing/provider/billing-provider.js';
import { ManualProvider } from './billing/provider/manual-provider.js';
import { Adjuster } from './billing/subscription/adjuster.js';
import { BillingTerms } from './billing/subscription/billing-terms.js';
import { SubscriptionChanger } from './billing/subscription/subscription-changer.js';
import { SubscriptionPresenter } from './billing/subscription/subscription-presenter.js';
import { SubscriptionRepository } from './billing/subscription/subscription.repository.js';
import { ReportingConfig } from './config.js';
import { Plans } from './pool/plans.js';
import { PoolSnapshotPublisher } from './pool/pool-snapshot-publisher.js';
import { PoolUpdater } from './pool/pool-updater.js';
import { PoolRepository } from './pool/pool.repository.js';
import { storage } from './storage.js';

/** What the operator's command needs of the service: database, Redis and the changes of billing, but no messages and no jobs. */
@Module({})
export class OperatorModule {
  static of(config: ReportingConfig): DynamicModule {
    const shared = [{ provide: ReportingConfig, useValue: config }, ReadinessChecks];
    return {
      module: OperatorModule,
      global: true,
      imports: [
        DatabaseModule.forRoot(config, storage),
        RedisModule.forRoot(ReportingConfig, [poolSnapshotCache(ReportingConfig)]),
      ],
      providers: [
        ...shared,
        { provide: BillingProvider, useClass: ManualProvider },
        Plans,
        PoolRepository,
        PoolSnapshotPublisher,
        PoolUpdater,
        AuditRepository,
        BillingTerms,
        SubscriptionRepository,
        SubscriptionChanger,
        SubscriptionPresenter,
        Adjuster,
        InvoiceRepository,
        PaymentRepository,
        PaymentCollector,
        OperatorBilling,
      ],
      exports: shared,
    };
  }
}
