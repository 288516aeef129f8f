import type {
  DynamicModule,
  INestApplication,
  INestApplicationContext,
  NestApplicationOptions,
} from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions, CustomStrategy, NestMicroservice } from '@nestjs/microservices';
import { MessagingTransport, UnhandledErrorFilter } from '@vaultsvc/messaging';

/** Starts a service without HTTP as a Nest microservice. */
export async function startMicroservice(
  root: DynamicModule,
  options: NestApplicationOptions,
): Promise<INestApplicationContext> {
  // Nest asks global filters in reverse order, so this one comes after those of the service.
  const lastFilter = { provide: APP_FILTER, useClass: UnhandledErrorFilter };
  const service = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(
    { ...root, providers: [lastFilter, ...(root.providers ?? [])] },
    {
      ...options,
      inject: [MessagingTransport],
      useFactory: (strategy: MessagingTransport) => ({ strategy }),
    },
  );
  await service.listen();
  return service;
}

/**
 * Initialises an application with HTTP, and starts its consumers and operations. Call it before `listen`. The application's global
 * guards, interceptors and filters are for HTTP and do not apply to them.
 */
export async function startMessaging(app: INestApplication): Promise<void> {
  const strategy = app.get(MessagingTransport);
  const connected = app.connectMicroservice<CustomStrategy>({ strategy }, { deferInitialization: true });
  connected.useGlobalFilters(new UnhandledErrorFilter());
  await app.init();
  (connected as NestMicroservice).setIsInitHookCalled(true); // by `init`; Nest would call the start hooks again
  await app.startAllMicroservices();
}
