import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { NatsConnection } from '@nats-io/transport-node';
import { Bus } from './bus.js';
import { CallKeys } from './call-keys.js';
import { connectNats } from './connection.js';
import { MESSAGING_OPTIONS, NATS, type MessagingOptions } from './messaging-options.js';
import { MessagingRuntime } from './messaging-runtime.js';
import { MessagingTransport } from './messaging-transport.js';
import { Outbox } from './outbox.js';
import { ProviderGuards } from './provider-guards.js';
import { Signals } from './signals.js';
import { StartConditions } from './start-conditions.js';
import { formFor } from './wire.js';

/** Provides `Bus`, `Signals` and `Outbox`, and the transport that calls the methods marked `@Handles` and `@Consumes`. */
@Module({})
export class MessagingModule {
  static forRoot(options: MessagingOptions): DynamicModule {
    const { config, service } = options;
    return {
      module: MessagingModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        { provide: MESSAGING_OPTIONS, useValue: options },
        { provide: CallKeys, useFactory: () => new CallKeys(service, config.CALL_KEYS.reveal()) },
        { provide: NATS, useFactory: () => connectNats(config, service) },
        {
          provide: Bus,
          useFactory: (nats: NatsConnection, keys: CallKeys) =>
            new Bus(nats, keys, formFor(config.OLDEST_RELEASE), config.SHARDS),
          inject: [NATS, CallKeys],
        },
        { provide: Signals, useFactory: (nats: NatsConnection) => new Signals(nats), inject: [NATS] },
        { provide: Outbox, useFactory: () => new Outbox(service) },
        ProviderGuards,
        StartConditions,
        MessagingRuntime,
        MessagingTransport,
      ],
      exports: [NATS, Bus, Signals, Outbox, StartConditions],
    };
  }
}
