import { Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DiskObjects } from './disk-objects.js';
import type { ObjectsConfig, ObjectsSettings } from './objects-config.js';
import { Objects } from './objects.js';
import { S3Objects } from './s3-objects.js';

/**
 * Provides `Objects`, opened before the first request and closed after the last. The service adds the readiness check:
 * `readiness.add('objects', () => objects.check())`.
 */
@Module({})
export class ObjectsModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly objects: Objects) {}

  /** `configClass`: the settings class of the service, which extends ObjectsConfig. */
  static forRoot(configClass: new () => ObjectsConfig): DynamicModule {
    return {
      module: ObjectsModule,
      global: true,
      providers: [
        {
          provide: Objects,
          useFactory: (config: ObjectsConfig) => createObjects(config.objects),
          inject: [configClass],
        },
      ],
      exports: [Objects],
    };
  }

  async onModuleInit(): Promise<void> {
    await this.objects.open();
  }

  onApplicationShutdown(): void {
    this.objects.close();
  }
}

/** Creates the configured store, not opened yet. */
export function createObjects(settings: ObjectsSettings): Objects {
  return 'disk' in settings ? new DiskObjects(settings.disk) : new S3Objects(settings.s3);
}
