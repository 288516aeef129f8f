import { Module } from '@nestjs/common';
import { RedisModule } from '@vaultsvc/limits';
import { ReportingConfig } from './config.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { FundsPublisher } from './pool/funds-publisher.js';
import { LoadFunds } from './pool/load-funds.handler.js';
import { Plans } from './pool/plan.js';
import { PoolRepository } from './pool/pool.repository.js';
import { OnSparksUsed } from './usage/on-sparks-used.consumer.js';
import { OnUsersAdded } from './usage/on-users-added.consumer.js';

@Module({
  imports: [RedisModule.forRoot(ReportingConfig)],
  providers: [Plans, PoolRepository, LedgerRepository, FundsPublisher, LoadFunds, OnSparksUsed, OnUsersAdded],
})
export class ReportingModule {}
