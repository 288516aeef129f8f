import type { ServiceConfig } from '@vaultsvc/config';
import type { FurtherDatabase, Storage } from '@vaultsvc/database';
import type { Check } from './check.js';

/** The parts of a service that are checked without its module, which would start it. */
export interface CheckedService<C extends ServiceConfig> {
  readonly name: string;
  readonly config: new () => C;
  readonly storage?: Storage;
  readonly furtherDatabases?: readonly FurtherDatabase<NoInfer<C>>[];
  /** What this service needs besides. */
  checks?(this: void, config: C): readonly Check[];
}
