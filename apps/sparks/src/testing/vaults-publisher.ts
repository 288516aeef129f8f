import { Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { serviceStorage } from '@vaultsvc/messaging/tables';
import { defineService } from '@vaultsvc/service';

@Module({})
class PublisherModule {}

/** A fake of vaults that publishes the events of a test; the real one would not find the test's ingots. */
export const vaultsPublisher = defineService({
  name: 'vaults',
  config: StatefulConfig,
  module: PublisherModule,
  storage: serviceStorage(),
});
