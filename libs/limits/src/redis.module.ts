import {
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import type { RotatedKey, Secret } from '@vaultsvc/config';
import { ReadinessChecks } from '@vaultsvc/service';
import { AccountLimiter } from './account-limiter.js';
import { AddressLimiter } from './address-limiter.js';
import { CredentialCache, type CredentialRecord } from './credential-cache.js';
import { CredentialReader } from './credential-reader.js';
import { PoolSnapshotCache, type PoolSnapshot } from './pool-snapshot-cache.js';
import { RateLimiter } from './rate-limiter.js';
import { RecordAuthenticator } from './record-authenticator.js';
import type { RedisConfig } from './redis-servers.js';
import { RedisConnection } from './redis-connection.js';

/** The setting of a service that writes or checks credential records. */
export interface CredentialRecordConfig {
  readonly CREDENTIAL_RECORD_KEY: Secret<RotatedKey>;
}

/** The setting of a service that writes or checks pool snapshots. */
export interface PoolSnapshotConfig {
  readonly POOL_SNAPSHOT_KEY: Secret<RotatedKey>;
}

/** Provides the Redis connection and the counters of addresses and accounts, and adds Redis to the readiness checks. */
@Module({})
export class RedisModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly redis: RedisConnection,
    private readonly readiness: ReadinessChecks,
  ) {}

  /**
   * @param configClass the settings of the service, which include those of Redis
   * @param records the providers of the records that this service writes or checks
   */
  static forRoot(configClass: new () => RedisConfig, records: readonly Provider[] = []): DynamicModule {
    const connection = {
      provide: RedisConnection,
      useFactory: (config: RedisConfig) => new RedisConnection(config),
      inject: [configClass],
    };
    const limiters = [AddressLimiter, AccountLimiter].map((limiter) => ({
      provide: limiter,
      useFactory: (redis: RedisConnection) => new limiter(redis),
      inject: [RedisConnection],
    }));
    const providers: Provider[] = [connection, ...limiters, ...records];
    return { module: RedisModule, global: true, providers, exports: providers };
  }

  async onModuleInit(): Promise<void> {
    this.readiness.add('redis', () => this.redis.ping());
    await this.redis.open();
  }

  onApplicationShutdown(): void {
    this.redis.close();
  }
}

/** The cache of credential records, for auth. */
export function credentialCache(configClass: new () => CredentialRecordConfig): Provider {
  return {
    provide: CredentialCache,
    useFactory: (redis: RedisConnection, config: CredentialRecordConfig) =>
      new CredentialCache(redis, credentialAuthenticator(config)),
    inject: [RedisConnection, configClass],
  };
}

/** The cache of pool snapshots, for reporting, which writes them, and for services that read them. */
export function poolSnapshotCache(configClass: new () => PoolSnapshotConfig): Provider {
  return {
    provide: PoolSnapshotCache,
    useFactory: (redis: RedisConnection, config: PoolSnapshotConfig) =>
      new PoolSnapshotCache(redis, poolSnapshotAuthenticator(config)),
    inject: [RedisConnection, configClass],
  };
}

/** The limiter that authenticates and counts calls, for the gateway. */
export function rateLimiter(configClass: new () => CredentialRecordConfig & PoolSnapshotConfig): Provider {
  return {
    provide: RateLimiter,
    useFactory: (redis: RedisConnection, config: CredentialRecordConfig & PoolSnapshotConfig) =>
      new RateLimiter(redis, credentialAuthenticator(config), poolSnapshotAuthenticator(config)),
    inject: [RedisConnection, configClass],
  };
}

/** The reader of credential records between calls, for the gateway. */
export function credentialReader(configClass: new () => CredentialRecordConfig): Provider {
  return {
    provide: CredentialReader,
    useFactory: (redis: RedisConnection, config: CredentialRecordConfig) =>
      new CredentialReader(redis, credentialAuthenticator(config)),
    inject: [RedisConnection, configClass],
  };
}

/** Authenticates credential records, which auth writes and the gateway checks. */
export function credentialAuthenticator({
  CREDENTIAL_RECORD_KEY,
}: CredentialRecordConfig): RecordAuthenticator<CredentialRecord> {
  return new RecordAuthenticator(CREDENTIAL_RECORD_KEY.reveal(), 'credential');
}

/** Authenticates pool snapshots, which reporting writes and the gateway and auth check. */
export function poolSnapshotAuthenticator({
  POOL_SNAPSHOT_KEY,
}: PoolSnapshotConfig): RecordAuthenticator<PoolSnapshot> {
  return new RecordAuthenticator(POOL_SNAPSHOT_KEY.reveal(), 'pools');
}
