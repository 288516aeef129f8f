import { Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Readiness } from '@vaultsvc/service';
import { Admission } from './admission.js';
import { CredentialCache } from './credential-cache.js';
import { PoolSnapshotCache } from './pool-snapshot-cache.js';
import { RedisConnection, type RedisConfig } from './redis-connection.js';

/** Provides the connection and what is kept behind it, and has readiness ask after Redis. */
@Module({})
export class RedisModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly redis: RedisConnection,
    private readonly readiness: Readiness,
  ) {}

  /** `configClass`: the service's own class of settings, which declares those of Redis. */
  static forRoot(configClass: new () => RedisConfig): DynamicModule {
    const inject = [RedisConnection];
    return {
      module: RedisModule,
      global: true,
      providers: [
        {
          provide: RedisConnection,
          useFactory: (config: RedisConfig) => new RedisConnection(config),
          inject: [configClass],
        },
        {
          provide: CredentialCache,
          useFactory: (redis: RedisConnection) => new CredentialCache(redis),
          inject,
        },
        {
          provide: PoolSnapshotCache,
          useFactory: (redis: RedisConnection) => new PoolSnapshotCache(redis),
          inject,
        },
        { provide: Admission, useFactory: (redis: RedisConnection) => new Admission(redis), inject },
      ],
      exports: [RedisConnection, CredentialCache, PoolSnapshotCache, Admission],
    };
  }

  async onModuleInit(): Promise<void> {
    this.readiness.add('redis', () => this.redis.ping());
    await this.redis.open();
  }

  onApplicationShutdown(): void {
    this.redis.close();
  }
}
