import type { NestExpressApplication } from '@nestjs/platform-express';
import { NestFactory } from '@nestjs/core';
import type { PublicOperation } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';
import { apiInfoOf } from '@vaultsvc/http';
import { defineService, startMessaging, type ServiceDefinition } from '@vaultsvc/service';
import { assertDistinctOrigins, GatewayConfig } from './config.js';
import { FeedSockets } from './feed/feed-sockets.js';
import { GatewayModule } from './gateway.module.js';
import { GatewayAdapter } from './server/gateway-adapter.js';
import { PublicListener } from './server/public-listener.js';
import { LinkServers } from './links/link-servers.js';

/** The gateway service for these operations; a test passes its own. */
export function gatewayOver(endpoints: readonly PublicOperation[]): ServiceDefinition<GatewayConfig> {
  return defineService({
    name: 'gateway',
    config: GatewayConfig,
    module: GatewayModule.over(endpoints),
    host: async (root, config, options) => {
      assertDistinctOrigins(config);
      const adapter = new GatewayAdapter(apiInfoOf(config));
      const app = await NestFactory.create<NestExpressApplication>(root, adapter, {
        ...options,
        bodyParser: false,
      });
      const linkServers = app.get(LinkServers);
      adapter.serve(app.get(PublicListener), linkServers, app.get(FeedSockets));
      await linkServers.listen(config);
      await startMessaging(app);
      await app.listen(config.HTTP_PORT, config.HTTP_HOST);
      return app;
    },
  });
}

export const gateway = gatewayOver(operations);
