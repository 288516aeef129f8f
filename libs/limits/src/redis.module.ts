import { Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ReadinessChecks } from '@vaultsvc/service';
import { RateLimiter } from './rate-limiter.js';
import { CredentialCache } from './credential-cache.js';
import { PoolSnapshotCache } from './pool-snapshot-cache.js';
import { RedisConnection, type RedisConfig } from './redis-connection.js';

/** Provides the Redis connection, its caches and the rate limiter, and adds Redis to the readiness checks. */
@Module({})
export class RedisModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly redis: RedisConnection,
    private readonly readiness: ReadinessChecks,
  ) {}

  /** `configClass`: the settings of the service, which include those of Redis. */
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
        { provide: RateLimiter, useFactory: (redis: RedisConnection) => new RateLimiter(redis), inject },
      ],
      exports: [RedisConnection, CredentialCache, PoolSnapshotCache, RateLimiter],
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
