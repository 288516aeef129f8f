import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { servedShard, StatefulConfig, type ServiceConfig } from '@vaultsvc/config';
import { DatabaseModule } from '@vaultsvc/database';
import { MessagingModule } from '@vaultsvc/messaging';
import type { ServiceDefinition } from './define-service.js';
import { ForcedShutdown } from './forced-shutdown.js';
import { ReadinessChecks } from './private-server.js';

/** Combines a service's own module with the modules of every service: settings, database, messaging. */
@Module({})
export class ServiceModule {
  static of<C extends ServiceConfig>(definition: ServiceDefinition<C>, config: C): DynamicModule {
    const { name, module, storage } = definition;
    return {
      module: ServiceModule,
      global: true,
      imports: [
        ...(storage ? [DatabaseModule.forRoot(stateful(name, config), storage)] : []),
        MessagingModule.forRoot({ service: name, config, shard: servedShard(config) }),
        module,
      ],
      providers: [{ provide: definition.config as Type, useValue: config }, ReadinessChecks, ForcedShutdown],
      exports: [definition.config as Type, ReadinessChecks, ForcedShutdown],
    };
  }
}

function stateful(name: string, config: ServiceConfig): StatefulConfig {
  if (config instanceof StatefulConfig) return config;
  throw new Error(`${name} declares storage, so its config class must extend StatefulConfig`);
}
