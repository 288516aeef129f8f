import type { DynamicModule, INestApplicationContext, NestApplicationOptions, Type } from '@nestjs/common';
import type { ServiceConfig } from '@vaultsvc/config';
import type { FurtherDatabase, Storage } from '@vaultsvc/database';
import type { ReadinessRule } from './private-server.js';

/** The parts of a service. `main.ts` runs it, `migrate.ts` migrates its storage, tests start it in process. */
export interface ServiceDefinition<C extends ServiceConfig = ServiceConfig> {
  /** Name on the bus, in logs and in metrics. */
  readonly name: string;
  readonly config: new () => C;
  readonly module: Type | DynamicModule;
  /** Absent for a service that owns no schema. */
  readonly storage?: Storage;
  /** Databases that the module connects itself. */
  readonly furtherDatabases?: readonly FurtherDatabase<NoInfer<C>>[];
  /** When `/readyz` answers 503. Default: `dependencies`. */
  readonly readiness?: ReadinessRule;
  /** Creates the Nest application of a service with HTTP, calls `startMessaging`, and listens. Default: no HTTP. */
  host?(
    this: void,
    root: DynamicModule,
    config: C,
    options: NestApplicationOptions,
  ): Promise<INestApplicationContext>;
}

export function defineService<C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
): ServiceDefinition<C> {
  return Object.freeze(definition);
}
