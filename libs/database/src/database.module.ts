import { Inject, Injectable, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { createDataSource, type Storage } from './data-source.js';
import { Database } from './database.js';

@Injectable()
class DatabaseLifetime implements OnApplicationShutdown {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** After the message servers have drained: Nest calls this hook last. */
  async onApplicationShutdown(): Promise<void> {
    await this.database.dataSource.destroy();
  }
}

/** Provides `Database` to a service, connected and with no migration pending. */
@Module({})
export class DatabaseModule {
  static forRoot(config: StatefulConfig, storage: Storage): DynamicModule {
    const database = { provide: Database, useFactory: () => connect(config, storage) };
    return {
      module: DatabaseModule,
      global: true,
      providers: [database, DatabaseLifetime],
      exports: [Database],
    };
  }
}

async function connect(config: StatefulConfig, storage: Storage): Promise<Database> {
  const source = await createDataSource(config, storage).initialize();
  if (await source.showMigrations()) {
    await source.destroy();
    throw new Error(
      `the schema "${config.DATABASE_SCHEMA}" has pending migrations; run the migrate job first`,
    );
  }
  return new Database(source);
}
