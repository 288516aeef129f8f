import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { apiInfoOf } from '@vaultsvc/http';
import { defineService, startMessaging } from '@vaultsvc/service';
import { ForgeConfig } from './config.js';
import { ForgeModule } from './forge.module.js';
import { ForgeAdapter } from './server/forge-adapter.js';
import { ForgeListener } from './server/forge-listener.js';
import { storage } from './storage.js';

export const forge = defineService({
  name: 'forge',
  config: ForgeConfig,
  module: ForgeModule,
  storage,
  readiness: 'serving', // Forge answers HEAD also while PostgreSQL is down (ADR 11)
  host: async (root, config, options) => {
    const adapter = new ForgeAdapter(apiInfoOf(config));
    const app = await NestFactory.create<NestExpressApplication>(root, adapter, {
      ...options,
      bodyParser: false,
    });
    adapter.serve(app.get(ForgeListener));
    await startMessaging(app);
    await app.listen(config.HTTP_PORT, config.HTTP_HOST);
    return app;
  },
});
