import { Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { CreateMessagingTables1700000000000 } from '@vaultsvc/messaging/tables';
import { defineService } from '@vaultsvc/service';

@Module({})
class PublisherModule {}

/** Stands where vaults stands, which would miss the ingots of a test: it publishes what the test tells it to. */
export const vaultsPublisher = defineService({
  name: 'vaults',
  config: StatefulConfig,
  module: PublisherModule,
  storage: { entities: [], migrations: [CreateMessagingTables1700000000000] },
});
