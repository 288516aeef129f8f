import { Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { serviceStorage } from '@vaultsvc/messaging/tables';
import { defineService } from '@vaultsvc/service';

@Module({})
class PublisherModule {}

/** A fake of notify that publishes the events of a test; the real one would have sent nothing. */
export const notifyPublisher = defineService({
  name: 'notify',
  config: StatefulConfig,
  module: PublisherModule,
  storage: serviceStorage(),
});
